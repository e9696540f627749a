import type { KeptData, RemovedData } from '@kontor/contracts';
import type { Database, TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import { type CustomerTable, isLegalTerm, type LegalTerm, rowsOf } from './customer-table.js';

/** Rows in one transaction. */
const PORTION = 1_000;

/** A customer of a tenant. */
export interface Whose {
  readonly tenantId: string;
  readonly customerId: string;
}

/** Deletes or blanks a portion of what a table has of a customer, and counts it in the same transaction. Returns how many rows there were. */
export async function eraseRows(
  database: Database,
  { tenantId, customerId }: Whose,
  table: CustomerTable,
  config: ServiceConfig,
): Promise<number> {
  const sql = erasureSql(table);
  if (sql === null) return 0;
  return database.tenant(tenantId, async (tx) => {
    // What guards rows against deletion lets this one pass.
    await tx.query("SELECT set_config('app.erasing', 'on', true)");
    const rows = await tx.query<{ key: string }>(sql, [tenantId, customerId, PORTION]);
    if (rows.length === 0) return 0;
    await table.removeFiles?.(
      rows.map(({ key }) => key),
      config,
    );
    await countRemoved(tx, customerId, table.table, rows.length);
    return rows.length;
  });
}

/** Adds to the report what the transaction takes away. */
export async function countRemoved(tx: TenantTx, customerId: string, what: string, count: number): Promise<void> {
  await tx.query(
    `INSERT INTO customer_erasure AS e (tenant_id, customer_id, what, removed) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, customer_id, what) DO UPDATE SET removed = e.removed + excluded.removed`,
    [tx.tenantId, customerId, what, count],
  );
}

export async function readRemoved(tx: TenantTx, customerId: string): Promise<RemovedData[]> {
  const rows = await tx.query<{ what: string; count: string }>(
    `SELECT what, removed::text AS count FROM customer_erasure WHERE tenant_id = $1 AND customer_id = $2 ORDER BY what`,
    [tx.tenantId, customerId],
  );
  return rows.map(({ what, count }) => ({ what, count: Number(count) }));
}

/** What is kept of a customer in a table, and the last day; null where there is nothing. */
export async function readKept(tx: TenantTx, customerId: string, table: CustomerTable): Promise<KeptData | null> {
  const term = table.erasure as LegalTerm;
  const [row] = await tx.query<{ count: number; year: number | null }>(
    `SELECT count(*)::int AS count, max(extract(year FROM ${term.from}))::int AS year
     FROM ${table.table} t WHERE ${rowsOf(table)} AND (${table.where ?? 'true'})`,
    [tx.tenantId, customerId],
  );
  if (!row?.count) return null;
  const year = (row.year ?? tx.now.getUTCFullYear()) + term.years;
  return { what: table.table, count: row.count, until: `${year}-12-31`, reason: term.law };
}

/** Null where an anonymization changes nothing. What is blank already is not found again. */
function erasureSql(table: CustomerTable): string | null {
  const { erasure, key = 'id', where = 'true', shared } = table;
  if (erasure === 'nothing' || isLegalTerm(erasure)) return null;
  const tenant = shared ? 'true' : 'tenant_id = $1';
  const found = (also: string): string =>
    `ARRAY(SELECT t.${key} FROM ${table.table} t WHERE ${rowsOf(table)} AND (${where}) AND ${also} LIMIT $3)`;
  if (erasure === 'delete')
    return `DELETE FROM ${table.table} WHERE ${tenant} AND ${key} = ANY(${found('true')}) RETURNING ${key}::text AS key`;
  const columns = Object.entries(erasure.set);
  const isOpen = columns.map(([column, value]) => `t.${column}::text IS DISTINCT FROM (${value})::text`).join(' OR ');
  const set = columns.map(([column, value]) => `${column} = ${value}`).join(', ');
  return `UPDATE ${table.table} SET ${set} WHERE ${tenant} AND ${key} = ANY(${found(`(${isOpen})`)}) RETURNING ${key}::text AS key`;
}
