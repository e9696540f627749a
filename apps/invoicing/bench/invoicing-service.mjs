// What the rows of this service share: the service on a PostgreSQL of its own, and a tenant that can be billed.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customerChangedV1, exampleAddress, tenantChangedV1 } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres, provisionDatabase } from '@kontor/persistence';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import { euVatRates } from '@kontor/tax';
import { invoicingService } from '../dist/index.js';

const seller = {
  company: 'Nordlicht Software GmbH',
  address: {
    street: 'Musterstraße',
    houseNumber: '1',
    zip: '10115',
    city: 'Berlin',
    addition: null,
    countryCode: 'DE',
  },
  taxNumber: '29/123/45678',
  vatId: 'DE123456788',
  bankAccount: null,
  creditorIdentifier: null,
  contact: null,
};

/** A tenant with customers, ready to be billed. */
export async function tenantOf(service, customers) {
  const { database, replicas } = service.kit;
  const id = randomUUID();
  const group = randomUUID();
  const taxes = euVatRates()
    .filter((rate) => rate.kind === 'standard')
    .map((rate) => ({ id: randomUUID(), code: 'VAT', description: null, ...rate }));
  const ids = Array.from({ length: customers }, () => randomUUID());
  const copies = ids.map((customer) => {
    const state = {
      ...customerChangedV1.example.state,
      id: customer,
      addresses: [{ ...exampleAddress, id: randomUUID() }],
    };
    return { id: customer, version: 1, deleted: false, data: { ...state, representation: { ...state } } };
  });
  await database.tenant(id, async (tx) => {
    await replicas.apply(tx, 'tenant', id, 1, { ...tenantChangedV1.example.state, id }, false);
    await replicas.apply(tx, 'settings', id, 1, { seller }, false);
    await replicas.apply(
      tx,
      'tax_group',
      group,
      1,
      { id: group, type: 'standard', internalDescription: null, reverseChargeType: 'REVERSE_CHARGE', taxes },
      false,
    );
    await replicas.applyMany(tx, 'customer', copies);
  });
  return { id, group, customers: ids };
}

/** Measures with the service running; rendering has a row of its own. */
export async function withService(poolSize, measure) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-invoicing-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'invoicing', { owner: 'bench', app: 'bench' });
  const bus = new EmbeddedBus();
  const env = {
    KONTOR_SHAPE: 'embedded',
    LOG_LEVEL: 'silent',
    SECRETS_KEY: '11'.repeat(32),
    DATA_DIR: folder,
    DATABASE_POOL_SIZE: String(poolSize),
  };
  const service = await startService(invoicingService, {
    port: 0,
    host: '127.0.0.1',
    bus,
    databaseUrls: urls,
    directory: new ServiceDirectory(),
    env,
  });
  try {
    await service.kit.dueRunner.stop();
    const onDatabase = new URL(adminUrl);
    onDatabase.pathname = new URL(urls.appUrl).pathname;
    return await measure(service, onDatabase.href);
  } finally {
    await service.stop();
    await bus.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
