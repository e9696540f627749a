const DAY_MS = 86_400_000;

/** What holds while a tenant's settings are not known here. @see decisions.md, Settings */
export const DEFAULT_RETENTION_DAYS = 400;

/** Events created before this are not kept; `now` is the tenant's time. */
export const retainedSince = (now: Date, retentionDays: number): Date => new Date(now.getTime() - retentionDays * DAY_MS);

/** How often a sandbox clock's tenant is looked at however young its events are: its settings may change. */
const LOOK_AGAIN_MS = 7 * DAY_MS;

/** When something of a tenant is too old next: days (UTC) go as a whole. `since` is what it keeps at `now`. */
export function nextRemovalAt(now: Date, since: Date, oldestCreatedAt: Date | null): Date {
  const again = now.getTime() + LOOK_AGAIN_MS;
  if (!oldestCreatedAt) return new Date(again);
  const endOfItsDay = Math.floor(oldestCreatedAt.getTime() / DAY_MS) * DAY_MS + DAY_MS;
  return new Date(Math.min(again, endOfItsDay + (now.getTime() - since.getTime())));
}

/** Whether a day (UTC, `2026-11-21`) ended before what is kept begins: nothing that arrived on it, by a real clock, is needed. */
export const leafIsOver = (day: string, since: Date): boolean => Date.parse(`${day}T00:00:00Z`) + DAY_MS <= since.getTime();
