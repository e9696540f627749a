import { type Day, dayOf } from '@kontor/kernel';

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
