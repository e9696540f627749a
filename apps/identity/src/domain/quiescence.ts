import type { ClockProgress } from '@kontor/contracts';

/** Why an advance ended early, for people and programs. */
export interface ClockProblem {
  readonly code: 'message_parked' | 'due_work_failed' | 'not_quiescent' | 'service_unavailable';
  readonly service: string;
  readonly detail: string;
}

/** One reading of all services, by name. */
export type Snapshot = Readonly<Record<string, ClockProgress>>;

/** The owner of an event is the first word of its type. */
const ownerOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** What keeps a tenant from being quiescent at `at`, in words; empty when nothing does. */
export function blockers(snapshot: Snapshot, at: Date): { service: string; detail: string }[] {
  const reasons: { service: string; detail: string }[] = [];
  for (const [service, progress] of Object.entries(snapshot)) {
    const add = (detail: string): void => void reasons.push({ service, detail });
    if (progress.claimed > 0) add(`${progress.claimed} items are being worked on`);
    if (isDue(progress, at)) add(`work of ${progress.nextDue} is due`);
    if (progress.unpublished > 0) add(`${progress.unpublished} events are not published`);
    for (const [consumer, types] of Object.entries(progress.applied)) {
      for (const [type, applied] of Object.entries(types)) {
        const published = snapshot[ownerOf(type)]?.published[type] ?? 0;
        if (applied < published) add(`${consumer} has applied ${applied} of ${published} ${type}`);
      }
    }
  }
  return reasons;
}

export const isDue = (progress: ClockProgress, at: Date): boolean =>
  progress.nextDue !== null && new Date(progress.nextDue) <= at;

/**
 * Quiescent: two consecutive readings found nothing to do and no counter moved in between. A single reading is not enough:
 * services are asked one after the other, and an event may pass from a service not asked yet to one already asked.
 */
export const isQuiescent = (earlier: Snapshot | undefined, now: Snapshot, at: Date): boolean =>
  earlier !== undefined && blockers(now, at).length === 0 && progressOf(earlier) === progressOf(now);

/** A text that changes with everything that happens anywhere. */
export const progressOf = (snapshot: Snapshot): string =>
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
  const due = Object.values(snapshot).flatMap((progress) =>
    progress.nextDue === null ? [] : [new Date(progress.nextDue).getTime()],
  );
  return new Date(Math.min(target.getTime(), ...due));
}

export const parkedIn = (snapshot: Snapshot): number =>
  Object.values(snapshot).reduce((sum, progress) => sum + progress.parked, 0);
