import { addDays, atTimeOfDay, type Day, dayOf, endOfDay, startOfDay } from '@kontor/kernel';

/** Time of day, in the tenant's zone, at which runs begin. */
export const RUN_TIME = '03:00';

const HOUR_MS = 3_600_000;

export interface Zones {
  readonly tenant: string;
  readonly customer: string;
}

/**
 * When the run that bills a due day begins: the first 03:00 of the tenant at or after the day's start in the customer's
 * zone.
 */
export function runTimeOf(dueOn: Day, zones: Zones): Date {
  const start = startOfDay(dueOn, zones.customer);
  const day = dayOf(start, zones.tenant);
  const sameDay = atTimeOfDay(day, RUN_TIME, zones.tenant);
  return sameDay >= start ? sameDay : atTimeOfDay(addDays(day, 1), RUN_TIME, zones.tenant);
}

/** The first 03:00 of the tenant after an instant. */
export function nextRunTime(after: Date, tenantZone: string): Date {
  const day = dayOf(after, tenantZone);
  const sameDay = atTimeOfDay(day, RUN_TIME, tenantZone);
  return sameDay > after ? sameDay : atTimeOfDay(addDays(day, 1), RUN_TIME, tenantZone);
}

/**
 * When an account is claimed: with the run of its earliest due day, or later that many hours after the day has begun
 * where usage may still arrive; what became due after that run had begun waits for the next.
 */
export function accountDueAt(dueOn: Day, now: Date, zones: Zones, graceHours = 0): Date {
  const closed = new Date(startOfDay(dueOn, zones.customer).getTime() + graceHours * HOUR_MS);
  const begins = runTimeOf(dueOn, zones);
  const run = begins > closed ? begins : closed;
  return run > now ? run : nextRunTime(now, zones.tenant);
}

/** The last due day (customer's zone) whose usage has had its hours to arrive. */
export const lastClosedDay = (now: Date, zone: string, graceHours: number): Day =>
  dayOf(new Date(now.getTime() - graceHours * HOUR_MS), zone);

/** The last due day (customer's zone) that a daily run at `now` bills. */
export function lastDayOfRun(now: Date, zones: Zones): Day {
  let day = dayOf(now, zones.customer);
  while (runTimeOf(day, zones) > now) day = addDays(day, -1);
  return day;
}

/**
 * The last due day (customer's zone) that a run by request bills: all that begins until the end of the tenant's day.
 */
export const lastDayOfRequest = (date: Day, zones: Zones): Day => dayOf(endOfDay(date, zones.tenant), zones.customer);
