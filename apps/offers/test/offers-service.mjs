// The service as a process that a test can kill. It runs what was built; the database and its neighbours are the test's.
import { tmpdir } from 'node:os';
import { EmbeddedBus } from '@kontor/messaging';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import { offersService } from '../dist/index.js';

const directory = new ServiceDirectory();
for (const service of ['billing', 'payments', 'invoicing']) directory.set(service, process.env.NEIGHBOURS_URL);
const { url, kit } = await startService(offersService, {
  port: 0,
  bus: new EmbeddedBus(),
  databaseUrls: { ownerUrl: process.env.OWNER_URL, appUrl: process.env.APP_URL },
  directory,
  env: {
    SECRETS_KEY: '11'.repeat(32),
    DATA_DIR: tmpdir(),
    LOG_LEVEL: 'silent',
    KONTOR_SHAPE: 'distributed',
    DATABASE_POOL_SIZE: '4',
  },
});
kit.replicas.readThrough(null);
console.log(url);
