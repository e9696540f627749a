import type { Tx } from '@kontor/kernel';
import type { Total } from './list-sql.js';
import { listKey, RememberedTotals } from './remembered-totals.js';

/** Up to here totals are exact. @see docs/rules/api.md#collections */
export const MAX_COUNTED = 10_000;

const remembered = new RememberedTotals();

/**
 * How many rows there are: `from` is `FROM … WHERE …`. Beyond 10,000 nobody turns pages one by one, and counting a tenant's
 * whole history would cost more than the page, so PostgreSQL's estimate must do, and is good for some seconds.
 */
export async function countMatching(
  tx: Tx,
  from: string,
  params: readonly unknown[],
  /** Where the caller has counted so far already. */
  counted?: number,
): Promise<Total> {
  const key = listKey(tx, from, params);
  const known = remembered.get(key);
  if (known !== undefined) return { items: known, isEstimate: true };
  const items = counted ?? (await countUpToLimit(tx, from, params));
  if (items <= MAX_COUNTED) return { items, isEstimate: false };
  const [explained] = await tx.query<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT ${from}`,
    params,
  );
  const estimate = Math.max(items, explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
  remembered.set(key, estimate);
  return { items: estimate, isEstimate: true };
}

async function countUpToLimit(tx: Tx, from: string, params: readonly unknown[]): Promise<number> {
  const [count] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT ${from} LIMIT ${MAX_COUNTED + 1}) counted`,
    params,
  );
  return count?.n ?? 0;
}
