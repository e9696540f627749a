import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { LoadRatingContext } from '../src/charging/load-rating-context.js';
import { withFamilies } from '../src/customers/payers.js';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

const CUSTOMERS = 40;
/** Rows read of a table for each customer: some, but never as many as there are customers. */
const ROWS_EACH = 12;
const TABLES = ['customer', 'billing_account', 'subscription', 'subscription_item', 'charge'];

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterAll(async () => billing?.stop());

/** As after an import into an empty system: nothing is known of the tables' contents, and nothing learns it. */
async function forgetStatistics(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  for (const table of TABLES) {
    await admin.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await admin.query('DELETE FROM pg_statistic WHERE starelid = $1::regclass', [table]);
    await admin.query('UPDATE pg_class SET reltuples = -1 WHERE oid = $1::regclass', [table]);
  }
  await admin.end();
}

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
