import { addDays, addInterval, dayOf, startOfDay } from '@kontor/kernel';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Half-open, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const days = new Map<string, number[]>();
const MAX_KNOWN = 20_000;

/**
 * Starts of the local days around a day of UTC; asking the calendar for each event would cost more than counting it.
 */
function startsAround(utcDay: number, zone: string): number[] {
  const key = `${zone} ${utcDay}`;
  let starts = days.get(key);
  if (!starts) {
    if (days.size >= MAX_KNOWN) days.clear();
    const day = new Date(utcDay * DAY_MS).toISOString().slice(0, 10);
    starts = [-1, 0, 1, 2].map((n) => startOfDay(addDays(day, n), zone).getTime());
    days.set(key, starts);
  }
  return starts;
}

/**
 * The calendar day of a zone that contains an instant: 23, 24 or 25 hours, or what else the zone's clocks made of it.
 */
export function dayBucket(at: number, zone: string): Span {
  const starts = startsAround(Math.floor(at / DAY_MS), zone);
  for (let i = starts.length - 2; i >= 0; i--) if (starts[i]! <= at) return { from: starts[i]!, to: starts[i + 1]! };
  const day = dayOf(new Date(at), zone);
  return { from: startOfDay(day, zone).getTime(), to: startOfDay(addDays(day, 1), zone).getTime() };
}

/** The hour of UTC that contains an instant. */
export function hourBucket(at: number): Span {
  const from = Math.floor(at / HOUR_MS) * HOUR_MS;
  return { from, to: from + HOUR_MS };
}

/** The calendar month of a zone that contains an instant. */
export function monthBucket(at: number, zone: string): Span {
  const first = `${dayOf(new Date(at), zone).slice(0, 7)}-01`;
  return {
    from: startOfDay(first, zone).getTime(),
    to: startOfDay(addInterval(first, { count: 1, unit: 'M' }), zone).getTime(),
  };
}

export const GRANULARITIES = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/**
 * `[from, to)` cut at the calendar's boundaries of a zone; undefined when there are more than `maxParts`. Hours count
 * from local midnight, so they are whole in zones of half hours too.
 */
export function cutByCalendar(
  span: Span,
  granularity: Granularity,
  zone: string,
  maxParts: number,
): Span[] | undefined {
  const cuts: Span[] = [];
  for (let at = span.from; at < span.to;) {
    const end = Math.min(nextBoundary(at, granularity, zone), span.to);
    if (cuts.length === maxParts) return undefined;
    cuts.push({ from: at, to: end });
    at = end;
  }
  return cuts;
}

function nextBoundary(at: number, granularity: Granularity, zone: string): number {
  if (granularity === 'month') return monthBucket(at, zone).to;
  const day = dayBucket(at, zone);
  if (granularity === 'day') return day.to;
  return Math.min(day.from + (Math.floor((at - day.from) / HOUR_MS) + 1) * HOUR_MS, day.to);
}
