import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.js';

const ALIASES: Readonly<Record<string, string>> = {
  int: 'integer',
  int4: 'integer',
  number: 'integer',
  int8: 'bigint',
  int2: 'smallint',
  timestamptz: 'timestamp with time zone',
  varchar: 'character varying',
  bool: 'boolean',
  string: 'text',
  float8: 'double precision',
};

const typeOf = (column: ColumnMetadata): string => {
  if (column.isArray) return 'array';
  const name = (typeof column.type === 'function' ? column.type.name : column.type).toLowerCase();
  if (name === 'string') return 'text';
  if (name === 'date' && typeof column.type === 'function') return 'timestamp with time zone';
  return ALIASES[name] ?? name;
};

/**
 * Compares row classes with what the migrations built, in both directions: columns, types, nullability, primary keys. Columns
 * that the database computes are its own.
 * @throws Error that lists every difference.
 */
export async function assertNoDrift(database: Database, rows: readonly Function[]): Promise<void> {
  const differences: string[] = [];
  for (const row of rows) {
    const metadata = database.dataSource.getMetadata(row);
    const { rows: columns } = await database.pool.query<{ name: string; type: string; nullable: string }>(
      `SELECT column_name AS name, lower(data_type) AS type, is_nullable AS nullable FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
      [metadata.tableName],
    );
    const { rows: keys } = await database.pool.query<{ name: string }>(
      `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
       WHERE i.indrelid = to_regclass($1) AND i.indisprimary`,
      [`public.${metadata.tableName}`],
    );
    const table = metadata.tableName;
    if (columns.length === 0) {
      differences.push(`${table}: no such table`);
      continue;
    }
    const byName = new Map(columns.map((column) => [column.name, column]));
    for (const column of metadata.columns) {
      const actual = byName.get(column.databaseName);
      byName.delete(column.databaseName);
      if (!actual) differences.push(`${table}.${column.databaseName}: in ${row.name}, not in the database`);
      else {
        if (actual.type !== typeOf(column))
          differences.push(
            `${table}.${column.databaseName}: ${typeOf(column)} in ${row.name}, ${actual.type} in the database`,
          );
        if ((actual.nullable === 'YES') !== column.isNullable)
          differences.push(`${table}.${column.databaseName}: nullable differs`);
        if (keys.some((key) => key.name === column.databaseName) !== column.isPrimary)
          differences.push(`${table}.${column.databaseName}: primary key differs`);
      }
    }
    for (const name of byName.keys()) differences.push(`${table}.${name}: in the database, not in ${row.name}`);
  }
  if (differences.length > 0) throw new Error(`rows and migrations differ:\n${differences.join('\n')}`);
}

/**
 * Every table of the service has a row class, but for `exceptions`; and whatever is excepted has none.
 * @throws Error that lists the tables.
 */
export async function assertEveryTableHasARow(
  database: Database,
  rows: readonly Function[],
  exceptions: readonly string[],
): Promise<void> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
     ORDER BY relname`,
  );
  const described = new Set(rows.map((row) => database.dataSource.getMetadata(row).tableName));
  const wrong = tables.flatMap(({ name }) => {
    if (exceptions.includes(name)) return described.has(name) ? [`${name}: excepted, although it has a row class`] : [];
    return described.has(name) ? [] : [`${name}: no row class`];
  });
  const missing = exceptions.filter((name) => !tables.some((table) => table.name === name));
  const problems = [...wrong, ...missing.map((name) => `${name}: excepted, but no table`)];
  if (problems.length > 0) throw new Error(`tables without a row class:\n${problems.join('\n')}`);
}
