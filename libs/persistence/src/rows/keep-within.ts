import { DomainError, type Tx } from '@kontor/kernel';
import type { Match } from './row-match.js';
import type { RowTable } from './row-table.js';

export interface Bound<R> {
  readonly limit: number;
  /** Of what, in the plural: `webhooks`. */
  readonly what: string;
  /** Which rows count; all of the tenant unless given. */
  readonly match?: Match<R>;
}

/**
 * Refuses one more row of what is bounded, because each of them adds to the work of something hot, or all of them are read together. Call
 * it before the row is inserted: requests at the same moment wait for each other, so that together they do not get past it either.
 * @throws DomainError 422 with this reason
 */
export async function keepWithin<R extends object>(
  tx: Tx,
  table: RowTable<R>,
  reason: `too_many_${string}`,
  { limit, what, match = {} }: Bound<R>,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${table.name} ${tx.tenantId}`]);
  if ((await table.count(tx, match)) >= limit)
    throw new DomainError(reason, { detail: `There can be ${limit} ${what} at most.` });
}
