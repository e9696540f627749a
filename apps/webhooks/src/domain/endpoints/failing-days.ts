/** After so many days in a row with failures and without any success an endpoint is disabled. */
export const FAILING_DAYS_LIMIT = 5;

export interface EndpointHealth {
  /** Days in a row, `failingDay` the last of them, on which every attempt failed. */
  readonly failingDays: number;
  /** Real UTC day `YYYY-MM-DD`, or null. */
  readonly failingDay: string | null;
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** Health after some attempts on `day`: one success forgives everything, a day without attempts breaks the row. */
export function healthAfter(
  health: EndpointHealth,
  attempts: { succeeded: boolean; failed: boolean },
  day: string,
): EndpointHealth {
  if (attempts.succeeded) return { failingDays: 0, failingDay: null };
  if (!attempts.failed || health.failingDay === day) return health;
  return { failingDays: health.failingDay === dayBefore(day) ? health.failingDays + 1 : 1, failingDay: day };
}
