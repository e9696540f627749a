import type { KeptData, RemovedData } from '@kontor/contracts';
import type { Database, TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import { type CustomerTable, isLegalTerm, isOver, type LegalTerm, rowsOf } from './customer-table.js';
import { keepFilesInMind } from './remove-files.js';

/** Rows in one transaction. */
const PORTION = 1_000;

/** What guards rows against deletion lets this transaction pass, where the law does. */
export const ERASING = "SELECT set_config('app.erasing', 'on', true)";

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
    await tx.query(ERASING);
    const rows = await tx.query<{ key: string; file: string | null }>(sql, [tenantId, customerId, PORTION]);
    if (rows.length === 0) return 0;
    await keepFilesInMind(tx, rows);
    await table.removeFiles?.(
      rows.map(({ key }) => key),
      config,
    );
    await table.whenErased?.(
      tx,
      rows.map(({ key }) => key),
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

/** What is kept in a table. */
export interface Kept {
  readonly data: KeptData;
  /** The day after the first of its terms. */
  readonly nextOn: string;
}

/** What is kept of a customer in a table, and the last day; null where there is nothing. */
export async function readKept(tx: TenantTx, customerId: string, table: CustomerTable): Promise<Kept | null> {
  const term = table.erasure as LegalTerm;
  const rows = `${rowsOf(table)} AND (${table.where ?? 'true'})`;
  return keptIn(tx, { ...term, table: table.table, rows, params: [tx.tenantId, customerId] });
}

/** Of the rows that a term applies to, those for which it is not over. */
export async function keptIn(
  tx: TenantTx,
  {
    table,
    from,
    years,
    law,
    rows,
    params,
  }: Omit<LegalTerm, 'then' | 'together'> & { table: string; rows: string; params: unknown[] },
): Promise<Kept | null> {
  const year = `extract(year FROM (${from}) AT TIME ZONE 'Europe/Berlin')::int`;
  const [row] = await tx.query<{ count: number; first: number | null; last: number | null }>(
    `SELECT count(*)::int AS count, min(${year}) AS first, max(${year}) AS last
     FROM ${table} t WHERE ${rows} AND ${isOver({ from, years })} IS NOT TRUE`,
    params,
  );
  if (!row?.count) return null;
  const thisYear = tx.now.getUTCFullYear();
  return {
    data: { what: table, count: row.count, until: `${(row.last ?? thisYear) + years}-12-31`, reason: law },
    nextOn: `${(row.first ?? thisYear) + years + 1}-01-01`,
  };
}

/** Null where an anonymization changes nothing. What is blank already is not found again. */
function erasureSql(table: CustomerTable): string | null {
  const { erasure, key = 'id', where = 'true', shared, files } = table;
  if (erasure === 'nothing' || isLegalTerm(erasure)) return null;
  const tenant = shared ? 'true' : 'tenant_id = $1';
  const found = (also: string): string =>
    `ARRAY(SELECT t.${key} FROM ${table.table} t WHERE ${rowsOf(table)} AND (${where}) AND ${also} LIMIT $3)`;
  if (erasure === 'delete')
    return `DELETE FROM ${table.table} WHERE ${tenant} AND ${key} = ANY(${found('true')})
      RETURNING ${key}::text AS key, ${files?.key ?? 'NULL::text'} AS file`;
  const { isOpen, set } = assignments(erasure.set);
  return `UPDATE ${table.table} SET ${set} WHERE ${tenant} AND ${key} = ANY(${found(`(${isOpen})`)}) RETURNING ${key}::text AS key`;
}

/** New values of columns, and whether a row `t` still has others. */
export function assignments(values: Readonly<Record<string, string>>): { isOpen: string; set: string } {
  const columns = Object.entries(values);
  return {
    isOpen: columns.map(([column, value]) => `t.${column}::text IS DISTINCT FROM (${value})::text`).join(' OR '),
    set: columns.map(([column, value]) => `${column} = ${value}`).join(', '),
  };
}
