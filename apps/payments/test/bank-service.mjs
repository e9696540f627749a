// The service as a process that a test can kill. It runs what was built; the database is the test's.
import { tmpdir } from 'node:os';
import { EmbeddedBus } from '@kontor/messaging';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import { paymentsService } from '../dist/index.js';

const { url } = await startService(paymentsService, {
  port: 0,
  bus: new EmbeddedBus(),
  databaseUrls: { ownerUrl: process.env.OWNER_URL, appUrl: process.env.APP_URL },
  directory: new ServiceDirectory(),
  env: {
    SECRETS_KEY: 'ab'.repeat(32),
    DATA_DIR: tmpdir(),
    LOG_LEVEL: 'silent',
    KONTOR_SHAPE: 'distributed',
    DATABASE_POOL_SIZE: '4',
  },
});
console.log(url);
