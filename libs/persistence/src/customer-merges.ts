import type { Tx } from '@kontor/kernel';
import { tenantTable } from './tenant-table.js';

/** Statements by hand alone touch them. */
export const CUSTOMER_MERGE_TABLES = ['customer_merge', 'customer_merge_object'] as const;

/**
 * SQL of the tables in which a service keeps which customers were merged into which, and what it moved for that: what a merge took is
 * told apart from what the other customer had before.
 */
export const customerMergeTables = `
CREATE TABLE customer_merge (
  tenant_id uuid NOT NULL,
  source_customer_id uuid NOT NULL,
  merge_id uuid NOT NULL,
  target_customer_id uuid NOT NULL,
  -- Whose everything is now: the target, or whom that was merged into since.
  survivor_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'waiting', 'completed', 'undoing', 'undone')),
  moved jsonb NOT NULL,
  merged_at timestamptz NOT NULL,
  completed_at timestamptz,
  undone_at timestamptz,
  PRIMARY KEY (tenant_id, merge_id),
  CHECK (source_customer_id <> survivor_id),
  CHECK ((status IN ('pending', 'waiting')) = (completed_at IS NULL)),
  CHECK ((status = 'undone') = (undone_at IS NOT NULL))
);
-- Whoever was merged is somebody else's until that is undone, and may be merged again.
CREATE UNIQUE INDEX customer_merge_source ON customer_merge (tenant_id, source_customer_id)
  WHERE status NOT IN ('undoing', 'undone');
CREATE INDEX customer_merge_survivor ON customer_merge (tenant_id, survivor_id);
CREATE INDEX customer_merge_target ON customer_merge (tenant_id, target_customer_id, merged_at, merge_id);
${tenantTable('customer_merge')}

CREATE TABLE customer_merge_object (
  tenant_id uuid NOT NULL,
  merge_id uuid NOT NULL,
  object text NOT NULL,
  object_id text NOT NULL,
  PRIMARY KEY (tenant_id, merge_id, object, object_id)
);
${tenantTable('customer_merge_object')}
`;

/** Condition of merges that have not been undone. */
export const MERGE_HOLDS = `status NOT IN ('undoing', 'undone')`;

export interface CustomerMerge {
  readonly mergeId: string;
  readonly sourceCustomerId: string;
  /** Who gets everything: the target, or whom that was merged into meanwhile. */
  readonly survivorId: string;
}

/** Rows that belong to a customer by their column `customer_id`. */
export interface CustomerRows {
  /** What one is called: `payment_method`. */
  readonly object: string;
  readonly table: string;
  /** Column of its id; null: too many to be noted one by one. */
  readonly id?: string | null;
}

export interface MovedRows {
  readonly object: string;
  readonly count: number;
}

/** Notes a merge before anything is moved. Merges are learned in any order: it goes to whoever its target has become. */
export async function recordMerge(
  tx: Tx,
  merge: { readonly mergeId: string; readonly sourceCustomerId: string; readonly targetCustomerId: string },
): Promise<CustomerMerge> {
  const { mergeId, sourceCustomerId, targetCustomerId } = merge;
  const survivorId = (await survivorsOf(tx, [targetCustomerId])).get(targetCustomerId) ?? targetCustomerId;
  await tx.query(
    `INSERT INTO customer_merge
       (tenant_id, source_customer_id, merge_id, target_customer_id, survivor_id, status, moved, merged_at)
     VALUES ($1, $2, $3, $4, $5, 'pending', '[]', $6)`,
    [tx.tenantId, sourceCustomerId, mergeId, targetCustomerId, survivorId, tx.now],
  );
  await tx.query(
    `UPDATE customer_merge SET survivor_id = $3 WHERE tenant_id = $1 AND survivor_id = $2 AND ${MERGE_HOLDS}`,
    [tx.tenantId, sourceCustomerId, survivorId],
  );
  return { mergeId, sourceCustomerId, survivorId };
}

/** By whom customers that were merged are represented; the others are missing. */
export async function survivorsOf(tx: Tx, customerIds: readonly string[]): Promise<Map<string, string>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<{ source: string; survivor: string }>(
    `SELECT source_customer_id AS source, survivor_id AS survivor FROM customer_merge
     WHERE tenant_id = $1 AND source_customer_id = ANY ($2::uuid[]) AND ${MERGE_HOLDS}`,
    [tx.tenantId, customerIds],
  );
  return new Map(rows.map(({ source, survivor }) => [source, survivor]));
}

/** Who was merged into a customer. */
export async function mergedInto(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT source_customer_id AS id FROM customer_merge
     WHERE tenant_id = $1 AND survivor_id = $2 AND ${MERGE_HOLDS} LIMIT 1000`,
    [tx.tenantId, customerId],
  );
  return rows.map(({ id }) => id);
}

/** Moves all rows of some kinds, each kind by one statement, and notes which. */
export async function moveCustomerRows(
  tx: Tx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
  kinds: readonly CustomerRows[],
): Promise<MovedRows[]> {
  const moved: MovedRows[] = [];
  for (const { object, table, id = 'id' } of kinds) {
    const noted = `INSERT INTO customer_merge_object (tenant_id, merge_id, object, object_id)
       SELECT $1, $4, $5, ref FROM moved`;
    const [row] = await tx.query<{ count: number }>(
      `WITH moved AS (
         UPDATE ${table} SET customer_id = $3 WHERE tenant_id = $1 AND customer_id = $2
         RETURNING ${id === null ? 'NULL' : id}::text AS ref
       )${id === null ? '' : `, noted AS (${noted})`}
       SELECT count(*)::int AS count FROM moved${id === null ? ' WHERE $4::uuid IS NOT NULL AND $5::text IS NOT NULL' : ''}`,
      [tx.tenantId, sourceCustomerId, survivorId, mergeId, object],
    );
    if (row && row.count > 0) moved.push({ object, count: row.count });
  }
  return moved;
}

/** Notes more of what a merge changed, for whoever undoes it. */
export async function noteMerged(tx: Tx, mergeId: string, object: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `INSERT INTO customer_merge_object (tenant_id, merge_id, object, object_id)
     SELECT $1, $2, $3, x FROM unnest($4::text[]) AS x ON CONFLICT DO NOTHING`,
    [tx.tenantId, mergeId, object, ids],
  );
}

/** What {@link moveCustomerRows} would move. */
export async function countCustomerRows(
  tx: Tx,
  customerId: string,
  kinds: readonly CustomerRows[],
): Promise<MovedRows[]> {
  if (kinds.length === 0) return [];
  const counts = await tx.query<{ object: string; count: number }>(
    kinds
      .map(
        ({ object, table }) =>
          `SELECT '${object}' AS object, count(*)::int AS count FROM ${table} WHERE tenant_id = $1 AND customer_id = $2`,
      )
      .join(' UNION ALL '),
    [tx.tenantId, customerId],
  );
  return counts.filter(({ count }) => count > 0);
}

/** The service has moved everything that it keeps. */
export const completeMerge = (tx: Tx, { mergeId }: CustomerMerge, moved: readonly MovedRows[]): Promise<unknown> =>
  tx.query(
    `UPDATE customer_merge SET status = 'completed', moved = $3, completed_at = $4 WHERE tenant_id = $1 AND merge_id = $2`,
    [tx.tenantId, mergeId, JSON.stringify(moved), tx.now],
  );

/** Something under way keeps the rows where they are for now. */
export const awaitMerge = (tx: Tx, { mergeId }: CustomerMerge): Promise<unknown> =>
  tx.query(`UPDATE customer_merge SET status = 'waiting' WHERE tenant_id = $1 AND merge_id = $2`, [
    tx.tenantId,
    mergeId,
  ]);
