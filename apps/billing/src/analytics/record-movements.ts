import type { SubscriptionChanged } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { RecurringMovementRow } from '../db/recurring-movement.row.js';
import { type Movement, movementsAfter, type SeenLevels } from '../domain/analytics/movements.js';

/** The part of an event that movements are made of. */
export type RecurringChange = Pick<SubscriptionChanged, 'id' | 'recurring'>;

const seenOf = ({ on, levels }: NonNullable<RecurringChange['recurring']>): SeenLevels => ({
  on,
  levels: levels.map(({ annualAmount, ...level }) => ({ ...level, annualMinor: BigInt(annualAmount) })),
});

/**
 * Brings the movements in line with events of subscriptions: where they are published, in the same transaction, and when they
 * are read again. Several events of a subscription follow one another; what is there already stays.
 */
export async function recordMovements(tx: TenantTx, changes: readonly RecurringChange[]): Promise<void> {
  const seen = changes.flatMap(({ id, recurring }) => (recurring ? { id, seen: seenOf(recurring) } : []));
  if (seen.length === 0) return;
  const ids = [...new Set(seen.map(({ id }) => id))];
  const rows = await tables.recurringMovements.find(tx, { subscriptionId: ids }, { orderBy: { day: 'asc' } });
  const before = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId);
  const after = new Map<string, readonly Movement[]>(before);
  for (const { id, seen: levels } of seen) after.set(id, movementsAfter(after.get(id) ?? [], levels));
  const changed = ids.filter((id) => !areEqual(before.get(id) ?? [], after.get(id)!));
  const outdated = changed.filter((id) => before.has(id));
  if (outdated.length > 0) await tables.recurringMovements.delete(tx, { subscriptionId: outdated });
  await tables.recurringMovements.insert(
    tx,
    changed.flatMap((id) => after.get(id)!.map((movement) => ({ ...movement, subscriptionId: id }))),
  );
}

const textOf = ({ day, currencyCode, kind, planId, annualMinor, subscriptions }: Movement): string =>
  [day, currencyCode, kind, planId, annualMinor, subscriptions].join(' ');

function areEqual(before: readonly RecurringMovementRow[], after: readonly Movement[]): boolean {
  const known = new Set(before.map(textOf));
  return before.length === after.length && after.every((movement) => known.has(textOf(movement)));
}
