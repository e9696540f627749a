import type { Tx } from '@kontor/kernel';
import type { Total } from './list-sql.js';

/** Up to here totals are exact. @see docs/rules/api.md#collections */
export const MAX_COUNTED = 10_000;

/**
 * How many rows there are: `from` is `FROM … WHERE …`. Beyond 10,000 nobody turns pages one by one, and counting a tenant's
 * whole history would cost more than the page, so PostgreSQL's estimate must do.
 */
export async function countMatching(
  tx: Tx,
  from: string,
  params: readonly unknown[],
  /** Where the caller has counted so far already. */
  counted?: number,
): Promise<Total> {
  const items = counted ?? (await countUpToLimit(tx, from, params));
  if (items <= MAX_COUNTED) return { items, isEstimate: false };
  const [explained] = await tx.query<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT ${from}`,
    params,
  );
  return { items: Math.max(items, explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), isEstimate: true };
}

async function countUpToLimit(tx: Tx, from: string, params: readonly unknown[]): Promise<number> {
  const [count] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT ${from} LIMIT ${MAX_COUNTED + 1}) counted`,
    params,
  );
  return count?.n ?? 0;
}
