import type { Sql } from '@kontor/kernel';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** What an export reads of a table, and the order in which it does. */
export interface ExportedColumns {
  readonly shown: readonly TableColumn[];
  readonly key: readonly TableColumn[];
}

/** Digests, keys and sealed secrets are nobody's data; nor is text that is only searched in. */
const SECRET = /(^|_)(secret|digest|token|password|hash|jwk)(_|$)/;

/** Tables of one tenant's rows: those under row-level security, but copies of what others own and what anonymizations count. */
export async function tenantTables(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relforcerowsecurity AND c.relname NOT IN ('replica', 'customer_erasure', 'tenant_erasure')
     ORDER BY c.relname`,
  );
  return rows.map(({ name }) => name);
}

export async function exportedColumns(sql: Sql, table: string, secret: readonly string[]): Promise<ExportedColumns> {
  const columns = await sql.query<TableColumn & { place: number | null }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, array_position(i.indkey::int2[], a.attnum) AS place
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = $1
     ORDER BY a.attnum`,
    [table],
  );
  const isShown = ({ name, type }: TableColumn): boolean =>
    name !== 'tenant_id' && type !== 'bytea' && !SECRET.test(name) && !secret.includes(name);
  return {
    shown: columns.filter(isShown),
    key: columns.filter(({ place }) => place !== null).sort((a, b) => a.place! - b.place!),
  };
}
