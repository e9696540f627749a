import { Temporal } from 'temporal-polyfill';
import { invariant } from './errors.js';
import type { Interval } from './interval.js';

/** A calendar day `YYYY-MM-DD` without time or zone. */
export type Day = string;

const toInstant = (at: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(at.getTime());

/** True for an IANA zone name such as `Europe/Berlin`. */
export function isTimeZone(zone: unknown): zone is string {
  if (typeof zone !== 'string' || zone === '') return false;
  try {
    Temporal.Now.instant().toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** True for an existing day of the Gregorian calendar in the form `YYYY-MM-DD`. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;

/** True for a day that business can be about, from 1900 to 2200: days are compared as text, and loops over periods end. */
export const isSupportedDay = (text: unknown): text is Day =>
  isDay(text) && Number(text.slice(0, 4)) >= FIRST_YEAR && Number(text.slice(0, 4)) <= LAST_YEAR;

/** The local calendar day of an instant in a zone. */
export const dayOf = (at: Date, zone: string): Day => toInstant(at).toZonedDateTimeISO(zone).toPlainDate().toString();

/** The first instant of a local day (the later one where daylight saving skips midnight). */
export const startOfDay = (day: Day, zone: string): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone }).epochMilliseconds);

/** The last millisecond of a local day. */
export const endOfDay = (day: Day, zone: string): Date => new Date(startOfDay(addDays(day, 1), zone).getTime() - 1);

/** The instant of a wall-clock time (`03:00`) on a local day; a skipped time moves forward, a doubled time is the first. */
export const atTimeOfDay = (day: Day, time: string, zone: string): Date =>
  new Date(
    Temporal.PlainDate.from(day)
      .toPlainDateTime(Temporal.PlainTime.from(time))
      .toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
  );

export const addDays = (day: Day, days: number): Day => Temporal.PlainDate.from(day).add({ days }).toString();

/** Number of calendar days from `from` (included) to `to` (excluded); negative when `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;

/** A day moved by an interval, clipped to the month's end: 31 January + 1M = 28 or 29 February. `times` may be negative. */
export function addInterval(day: Day, interval: Interval, times = 1): Day {
  const n = interval.count * times;
  const key = ({ D: 'days', W: 'weeks', M: 'months', Y: 'years' } as const)[interval.unit];
  return Temporal.PlainDate.from(day)
    .add({ [key]: n })
    .toString();
}

/**
 * The n-th boundary of periods anchored on `anchor`: always counted from the anchor itself, so an anchor on the 31st
 * returns to the 31st after February. Boundary 0 is the anchor.
 */
export const anchoredBoundary = (anchor: Day, interval: Interval, n: number): Day => addInterval(anchor, interval, n);

/** Index of the anchored period `[boundary n, boundary n+1)` that contains `day`; negative before the anchor. */
export function anchoredIndex(anchor: Day, interval: Interval, day: Day): number {
  const approx = { D: 1, W: 7, M: 30.436875, Y: 365.2425 }[interval.unit] * interval.count;
  let n = Math.floor(daysBetween(anchor, day) / approx);
  while (anchoredBoundary(anchor, interval, n) > day) n--;
  while (anchoredBoundary(anchor, interval, n + 1) <= day) n++;
  invariant(anchoredBoundary(anchor, interval, n) <= day, 'anchored period contains its day');
  return n;
}

/** Day of the month, 1..31. */
export const dayOfMonth = (day: Day): number => Temporal.PlainDate.from(day).day;

/** The last day of the month that contains `day`. */
export function endOfMonth(day: Day): Day {
  const date = Temporal.PlainDate.from(day);
  return date.with({ day: date.daysInMonth }).toString();
}

/** The calendar year of a day. */
export const yearOf = (day: Day): number => Number(day.slice(0, 4));
