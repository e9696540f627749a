import { MESSAGING_TABLES_WITHOUT_POLICY } from '@kontor/messaging';
import { assertEveryTableHasARow, assertNoDrift, PERSISTENCE_TABLES_WITHOUT_POLICY } from '@kontor/persistence';
import { migrationsOf, type ServiceDefinition } from '@kontor/service-kit';
import { tablesOfCustomers, tablesWithoutPolicy } from './table-checks.js';
import { testDatabase } from './test-database.js';

export interface TableExceptions {
  /** The service's tables that have no row class, because hand-written statements alone touch them. */
  readonly withoutRow?: readonly string[];
  /** The service's tables that have no tenant. */
  readonly withoutPolicy?: readonly string[];
}

/** Tables of the libraries in every service's database; libraries alone touch them. */
const WITHOUT_POLICY = [
  ...PERSISTENCE_TABLES_WITHOUT_POLICY,
  ...MESSAGING_TABLES_WITHOUT_POLICY,
  'replica_backfill',
  'file_to_remove',
];
const WITHOUT_ROW = [...WITHOUT_POLICY, 'replica', 'customer_erasure', 'tenant_erasure'];

/**
 * A service's migrations build what its row classes say, every table has a row class, all but infrastructure is under row-level
 * security, and what becomes of a customer's rows is stated for every table that names one.
 * @throws Error that lists every difference.
 */
export async function assertTables(definition: ServiceDefinition, exceptions: TableExceptions = {}): Promise<void> {
  const { name, rows, ingest = false } = definition;
  const db = await testDatabase(name, migrationsOf(definition), rows, { ingest });
  try {
    await assertNoDrift(db.database, rows);
    await assertEveryTableHasARow(db.database, rows, [...WITHOUT_ROW, ...(exceptions.withoutRow ?? [])]);
    const expected = [...WITHOUT_POLICY, ...(exceptions.withoutPolicy ?? [])].sort();
    const actual = await tablesWithoutPolicy(db);
    if (actual.join() !== expected.join())
      throw new Error(`without row-level security are ${actual.join(', ')}, not ${expected.join(', ')}`);
    const stated = definition.customerData.tables.map(({ table }) => table);
    const unstated = (await tablesOfCustomers(db)).filter((table) => !stated.includes(table));
    if (unstated.length > 0) throw new Error(`customerData does not say what becomes of ${unstated.join(', ')}`);
  } finally {
    await db.drop();
  }
}
