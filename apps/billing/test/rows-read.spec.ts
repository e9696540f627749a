import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, forgetStatistics, statementsReading } from '@kontor/testing';
import { LoadRatingContext } from '../src/charging/load-rating-context.js';
import { withFamilies } from '../src/customers/payers.js';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

const CUSTOMERS = 40;
/** Rows read of a table for each customer: some, but never as many as there are customers. */
const ROWS_EACH = 12;
const FILE_LINES = 6000;
const PORTION = 1000;
const TABLES = ['customer', 'billing_account', 'subscription', 'subscription_item', 'charge'];

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterAll(async () => billing?.stop());

it('reads of each customer to be billed a few rows, also before the server knows its tables', async () => {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  const price = await world.price();
  const parent = await world.customer({ companyName: 'Holding' });
  const ids = await Promise.all(Array.from({ length: CUSTOMERS }, () => world.customer()));
  await world.tenant.call('PUT', `/customers/${ids[0]}/set-parent`, { parentCustomerId: parent, invoicesTo: 'parent' });
  await Promise.all(ids.map((id) => world.subscribe(id, price)));
  await forgetStatistics(billing.test.db.adminUrl);
  const load = billing.test.service.get(LoadRatingContext) as LoadRatingContext;
  const read = await billing.test.service.kit.database.tenant(world.tenant.id, async (tx) => {
    const { accounts } = await load.execute(tx, await withFamilies(tx, ids), { dueUntil: '2026-05-01' as never });
    expect(accounts).toHaveLength(CUSTOMERS + 1);
    return tx.query<{ relname: string; rows: number }>(
      `SELECT relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables
       WHERE relname = ANY ($1::text[])`,
      [TABLES],
    );
  });
  expect(read).toHaveLength(TABLES.length);
  expect(read.filter(({ rows }) => rows > CUSTOMERS * ROWS_EACH)).toEqual([]);
});

it('imports a portion of a file reading its lines and its rows, not those of the whole file', async () => {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  await forgetStatistics(billing.test.db.adminUrl);
  const lines = Array.from(
    { length: FILE_LINES },
    (_, n) => `F-${n},f${n}@elbe.example,Backhaus ${n} GmbH,22765,Hamburg`,
  );
  const form = new FormData();
  form.set('file', new Blob([['customerNumber,email,companyName,zip,city', ...lines].join('\n')]), 'customers.csv');
  const read = await statementsReading(PORTION * 3, async () => {
    const { body } = await world.tenant.call('POST', '/customers/import', form);
    await eventually(
      async () => (await world.ok('GET', `/imports/${body.id}`)).imported === FILE_LINES,
      'all lines are imported',
    );
  });
  expect(read).toEqual([]);
});
