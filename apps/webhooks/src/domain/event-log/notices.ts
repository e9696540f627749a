import type { EventEnvelope, EventHeaders, Notice } from '@kontor/contracts';

/** A notice with the event that carried it. */
export interface FoundNotice {
  readonly notice: Notice;
  /** The tenant's time at which it happened. */
  readonly at: Date;
  readonly actor: EventHeaders['actor'] | null;
}

/** All notices of some events, in order. Events of any type may carry them. */
export const noticesOf = (events: readonly EventEnvelope[]): FoundNotice[] =>
  events.flatMap((event) => {
    const { notices } = event.payload as { notices?: readonly Notice[] };
    return (notices ?? []).map((notice) => ({
      notice,
      at: new Date(event.effectiveAt),
      actor: event.headers.actor ?? null,
    }));
  });

/** Metadata of an activity entry: the owner's, and who did it where that was not the system. */
export const metadataWith = (
  metadata: Readonly<Record<string, unknown>>,
  actor: EventHeaders['actor'] | null,
): Record<string, unknown> => ({
  ...metadata,
  ...(actor ? { actor: actor.name ?? actor.id } : {}),
});

/** How many notices each object has, by object id, in the order of the ids: locks are acquired in one order. */
export function countByObject(found: readonly FoundNotice[]): { objectId: string; n: number }[] {
  const counts = new Map<string, number>();
  for (const { notice } of found) counts.set(notice.objectId, (counts.get(notice.objectId) ?? 0) + 1);
  return [...counts].map(([objectId, n]) => ({ objectId, n })).sort((a, b) => (a.objectId < b.objectId ? -1 : 1));
}
