const DAY_MS = 86_400_000;

/** What holds while a tenant's settings are not known here. @see decisions.md, Settings */
export const DEFAULT_RETENTION_DAYS = 400;

/** Events created before this are not kept; `now` is the tenant's time. */
export const retainedSince = (now: Date, retentionDays: number): Date => new Date(now.getTime() - retentionDays * DAY_MS);

/** Whether a day (UTC, `2026-11-21`) ended before what is kept begins: nothing that arrived on it, by a real clock, is needed. */
export const leafIsOver = (day: string, since: Date): boolean => Date.parse(`${day}T00:00:00Z`) + DAY_MS <= since.getTime();
