import {
  anchoredBoundary,
  anchoredIndex,
  type Day,
  daysBetween,
  formatInterval,
  type Interval,
  startOfDay,
} from '@kontor/kernel';

const MAX_ENTRIES = 20_000;

/**
 * Memoizes a pure calendar function. A run needs the same few days thousands of times, and would spend most of its time
 * with exact calendar arithmetic.
 */
function memoize<A extends readonly unknown[], R>(
  key: (...args: A) => string,
  compute: (...args: A) => R,
): (...args: A) => R {
  const known = new Map<string, R>();
  return (...args) => {
    const name = key(...args);
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MAX_ENTRIES) known.clear();
    const result = compute(...args);
    known.set(name, result);
    return result;
  };
}

export const boundaryOf = memoize(
  (anchor: Day, interval: Interval, n: number) => `${anchor} ${formatInterval(interval)} ${n}`,
  anchoredBoundary,
);
export const indexOf = memoize(
  (anchor: Day, interval: Interval, day: Day) => `${anchor} ${formatInterval(interval)} ${day}`,
  anchoredIndex,
);
export const daysFrom = memoize((from: Day, to: Day) => `${from} ${to}`, daysBetween);
/** ISO text of the first instant of a local day. */
export const startText = memoize(
  (day: Day, zone: string) => `${day} ${zone}`,
  (day: Day, zone: string) => startOfDay(day, zone).toISOString(),
);
