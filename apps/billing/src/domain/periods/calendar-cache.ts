import { anchoredBoundary, anchoredIndex, type Day, daysBetween, formatInterval, type Interval, startOfDay } from '@kontor/kernel';

const MOST = 20_000;

/**
 * Remembers what a pure calendar function answered. A run asks the same few days thousands of times, and exact calendar
 * arithmetic is what it would spend most of its time with.
 */
function remembering<A extends readonly unknown[], R>(key: (...args: A) => string, compute: (...args: A) => R): (...args: A) => R {
  const known = new Map<string, R>();
  return (...args) => {
    const name = key(...args);
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const result = compute(...args);
    known.set(name, result);
    return result;
  };
}

export const boundaryOf = remembering(
  (anchor: Day, interval: Interval, n: number) => `${anchor} ${formatInterval(interval)} ${n}`,
  anchoredBoundary,
);
export const indexOf = remembering(
  (anchor: Day, interval: Interval, day: Day) => `${anchor} ${formatInterval(interval)} ${day}`,
  anchoredIndex,
);
export const daysFrom = remembering((from: Day, to: Day) => `${from} ${to}`, daysBetween);
/** ISO text of the first instant of a local day. */
export const startText = remembering((day: Day, zone: string) => `${day} ${zone}`, (day: Day, zone: string) => startOfDay(day, zone).toISOString()); // prettier-ignore
