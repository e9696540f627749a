import { MESSAGING_TABLES_WITHOUT_POLICY } from '@kontor/messaging';
import { assertEveryTableHasARow, assertNoDrift, PERSISTENCE_TABLES_WITHOUT_POLICY } from '@kontor/persistence';
import { migrationsOf, type ServiceDefinition } from '@kontor/service-kit';
import { tablesWithoutPolicy } from './table-checks.js';
import { testDatabase } from './test-database.js';

export interface TableExceptions {
  /** The service's tables that have no row class, because hand-written statements alone touch them. */
  readonly withoutRow?: readonly string[];
  /** The service's tables that have no tenant. */
  readonly withoutPolicy?: readonly string[];
}

/** Tables of the libraries in every service's database; libraries alone touch them. */
const WITHOUT_POLICY = [...PERSISTENCE_TABLES_WITHOUT_POLICY, ...MESSAGING_TABLES_WITHOUT_POLICY, 'replica_backfill'];
const WITHOUT_ROW = [...WITHOUT_POLICY, 'replica'];

/**
 * A service's migrations build what its row classes say, every table has a row class, and all but infrastructure is under
 * row-level security.
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
  } finally {
    await db.drop();
  }
}
