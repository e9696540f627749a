import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aCustomer, priced } from './support/catalogue.js';
import { Databases } from './support/databases.js';
import { advance, System } from './support/system.js';

const CUSTOMERS = 200;
/** Of a table, for each customer that is billed; what reads all of them for each reads at least half of their number. */
const ROWS_EACH = 75;
/** A session that is idle reports what it has read after ten seconds at the latest. */
const REPORT_MS = 11_000;

let system: System;
let databases: Databases;
beforeAll(async () => {
  system = await System.embedded({ RATE_LIMIT_SANDBOX: '10000000' });
  databases = await Databases.of(system.dataDir);
  for (const { database, name, isWhole } of await databases.tables())
    if (isWhole) await databases.query(database, `ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
});
afterAll(async () => {
  await databases?.end();
  await system?.stop();
});

async function rowsRead(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const database of databases.names) {
    const rows = await databases.query<{ name: string; read: number }>(
      database,
      `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables`,
    );
    for (const { name, read } of rows) found.set(`${database}.${name}`, read);
  }
  return found;
}

it('a billing day reads a few rows of each table for a customer, while the server has no statistics yet', async () => {
  const { api } = await system.sandbox({ now: '2026-03-01T12:00:00.000Z' });
  const { pricePlan } = await priced(api, { price: { amount: 1000 }, billingInterval: '1D' });
  const items = [{ pricePlan: pricePlan.id }, { pricePlan: pricePlan.id }];
  for (let made = 0; made < CUSTOMERS; made += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id: customer } = await aCustomer(api);
        const billingStart = '2026-03-02T08:00:00.000Z';
        await api.ok('POST', '/subscriptions', { customer, items, billingStart, activate: true });
      }),
    );
  await sleep(REPORT_MS);
  const before = await rowsRead();
  await advance(api, '2026-03-02T12:00:00.000Z');
  const { meta } = await api.ok('GET', '/invoices?status=STATUS_UNPAID&limit=0');
  expect(meta.pagination.totalItems).toBe(CUSTOMERS);
  await sleep(REPORT_MS);
  const read = [...(await rowsRead())].map(([table, rows]) => [table, (rows - (before.get(table) ?? 0)) / CUSTOMERS]);
  expect(read.filter(([, each]) => (each as number) > 0).length).toBeGreaterThan(20);
  expect(read.filter(([, each]) => (each as number) > ROWS_EACH)).toEqual([]);
});
