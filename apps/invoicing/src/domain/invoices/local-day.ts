import { addDays, type Day, dayOf, endOfDay } from '@kontor/kernel';

const MAX_ENTRIES = 10_000;
const days = new Map<string, Day>();

/**
 * The local calendar day of an instant, memoized: the thousands of documents of one billing day share a handful of
 * instants, and finding a day costs more than pricing a line.
 */
export function localDay(at: Date, zone: string): Day {
  const key = `${at.getTime()} ${zone}`;
  let day = days.get(key);
  if (day === undefined) {
    day = dayOf(at, zone);
    if (days.size >= MAX_ENTRIES) days.clear();
    days.set(key, day);
  }
  return day;
}

const ends = new Map<string, Date>();

/** The last instant of the local day `days` after `day`, memoized likewise: when a payment term ends. */
export function endOfTerm(day: Day, days: number, zone: string): Date {
  const key = `${day} ${days} ${zone}`;
  let end = ends.get(key);
  if (end === undefined) {
    end = endOfDay(addDays(day, days), zone);
    if (ends.size >= MAX_ENTRIES) ends.clear();
    ends.set(key, end);
  }
  return end;
}
