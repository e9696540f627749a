import { addDays, type Day, dayOf, endOfDay } from '@kontor/kernel';

const LIMIT = 10_000;
const known = new Map<string, Day>();

/**
 * The local calendar day of an instant, remembered: the thousands of documents of one billing day share a handful of
 * instants, and finding the day of one costs more than pricing a line.
 */
export function localDay(at: Date, zone: string): Day {
  const key = `${at.getTime()} ${zone}`;
  let day = known.get(key);
  if (day === undefined) {
    day = dayOf(at, zone);
    if (known.size >= LIMIT) known.clear();
    known.set(key, day);
  }
  return day;
}

const knownEnds = new Map<string, Date>();

/** The last instant of the local day `days` after `day`, remembered likewise: when a payment term ends. */
export function endOfTerm(day: Day, days: number, zone: string): Date {
  const key = `${day} ${days} ${zone}`;
  let end = knownEnds.get(key);
  if (end === undefined) {
    end = endOfDay(addDays(day, days), zone);
    if (knownEnds.size >= LIMIT) knownEnds.clear();
    knownEnds.set(key, end);
  }
  return end;
}
