import type { ClockProgress } from '@kontor/contracts';

/** Why an advance ended early, for people and programs. */
export interface ClockProblem {
  readonly code: 'message_parked' | 'due_work_failed' | 'not_quiescent' | 'service_unavailable';
  readonly service: string;
  readonly detail: string;
}

/** One look at all services, by name. */
export type Snapshot = Readonly<Record<string, ClockProgress>>;

/** The owner of an event is the first word of its type. */
const ownerOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** What keeps a tenant from being at rest at `at`, in words; empty when nothing does. */
export function unrest(snapshot: Snapshot, at: Date): { service: string; detail: string }[] {
  const reasons: { service: string; detail: string }[] = [];
  for (const [service, progress] of Object.entries(snapshot)) {
    const say = (detail: string): void => void reasons.push({ service, detail });
    if (progress.claimed > 0) say(`${progress.claimed} items are being worked on`);
    if (isDue(progress, at)) say(`work of ${progress.nextDue} is due`);
    if (progress.unpublished > 0) say(`${progress.unpublished} events are not published`);
    for (const [consumer, types] of Object.entries(progress.applied)) {
      for (const [type, applied] of Object.entries(types)) {
        const published = snapshot[ownerOf(type)]?.published[type] ?? 0;
        if (applied < published) say(`${consumer} has applied ${applied} of ${published} ${type}`);
      }
    }
  }
  return reasons;
}

export const isDue = (progress: ClockProgress, at: Date): boolean => progress.nextDue !== null && new Date(progress.nextDue) <= at;

/**
 * At rest for good: two looks in a row found nothing to do and no counter moved in between. One look is not enough, because
 * services are asked one after the other and an event may pass from one that was not asked yet to one that was.
 */
export const isQuiescent = (earlier: Snapshot | undefined, now: Snapshot, at: Date): boolean =>
  earlier !== undefined && unrest(now, at).length === 0 && movement(earlier) === movement(now);

/** Changes with everything that happens anywhere. */
export const movement = (snapshot: Snapshot): string =>
  JSON.stringify(
    Object.entries(snapshot).map(([service, { nextDue, claimed, unpublished, published, applied, parked }]) => [
      service,
      nextDue,
      claimed,
      unpublished,
      published,
      applied,
      parked,
    ]),
  );

/** Where the clock goes next: the earliest time at which something is due, at most `target`. */
export function nextInstant(snapshot: Snapshot, target: Date): Date {
  const due = Object.values(snapshot).flatMap((progress) => (progress.nextDue === null ? [] : [new Date(progress.nextDue).getTime()]));
  return new Date(Math.min(target.getTime(), ...due));
}

export const parkedIn = (snapshot: Snapshot): number => Object.values(snapshot).reduce((sum, progress) => sum + progress.parked, 0);
