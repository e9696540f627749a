import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customerChangedV1, tenantChangedV1 } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres, migrate, provisionDatabase, rolesOf } from '@kontor/persistence';
import { migrationsOf, ServiceDirectory, startService } from '@kontor/service-kit';
import { paymentsService } from '../dist/index.js';

/**
 * Starts payments by itself on a server of its own, measures, and leaves nothing behind. `env` adds to its
 * configuration.
 */
export async function withService(env, measure) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-payments-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'payments', { owner: 'bench', app: 'bench' });
  await migrate(urls.ownerUrl, migrationsOf(paymentsService), rolesOf('payments'));
  const service = await startService(paymentsService, {
    port: 0,
    bus: new EmbeddedBus(),
    databaseUrls: urls,
    directory: new ServiceDirectory(),
    env: { SECRETS_KEY: 'ab'.repeat(32), DATA_DIR: folder, LOG_LEVEL: 'silent', KONTOR_SHAPE: 'embedded', ...env },
  });
  try {
    return await measure(service, urls);
  } finally {
    await service.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives payments its copies of a tenant that has wallets, and of these customers; a second time changes nothing. */
export function copyTenant({ database, replicas }, tenantId, customerIds) {
  return database.tenant(tenantId, async (tx) => {
    await replicas.apply(
      tx,
      'tenant',
      tenantId,
      1,
      { ...tenantChangedV1.example.state, id: tenantId, features: ['WalletTopUp'] },
      false,
    );
    await replicas.apply(
      tx,
      'settings',
      tenantId,
      1,
      { creditOverpayments: true, applyCreditAutomatically: true },
      false,
    );
    for (const id of customerIds)
      await replicas.apply(tx, 'customer', id, 1, { ...customerChangedV1.example.state, id, settings: {} }, false);
  });
}
