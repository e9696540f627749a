const DAY_MS = 86_400_000;

/** What holds while a tenant's settings are not known here. @see docs/rules/usage.md#retention */
export const DEFAULT_RETENTION_DAYS = 400;

/** Events created before this are not kept; `now` is the tenant's time. */
export const retainedSince = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() - retentionDays * DAY_MS);

/**
 * Before this nothing has arrived that was used on `day` or later, in whichever zone: nobody's event happens more than a day after it
 * arrived, and days begin up to 14 hours before those of UTC.
 */
export const neededSince = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - 2 * DAY_MS);

/** Late events correct a period at least so long after its end. @see docs/rules/usage.md#late-events */
const CORRECTABLE_DAYS = 31;

/** Periods that ended after this can be corrected. */
export const correctableSince = (now: Date): Date => new Date(now.getTime() - CORRECTABLE_DAYS * DAY_MS);

/** When something of a tenant may be too old next: days (UTC) go as a whole. `since` is what it keeps at `now`. */
export function nextRemovalAt(now: Date, since: Date, oldestCreatedAt: Date | null): Date {
  const kept = now.getTime() - since.getTime();
  if (!oldestCreatedAt) return new Date(now.getTime() + kept);
  return new Date(Math.floor(oldestCreatedAt.getTime() / DAY_MS) * DAY_MS + DAY_MS + kept);
}

/**
 * Whether a day (UTC, `2026-11-21`) ended before what is kept begins: nothing that arrived on it, by a real clock, is
 * needed.
 */
export const leafIsOver = (day: string, since: Date): boolean =>
  Date.parse(`${day}T00:00:00Z`) + DAY_MS <= since.getTime();
