import type { Day } from '@kontor/kernel';
import { daysFrom } from '../calendar/calendar-cache.js';

/** The part of an interval that a period covers: its days of the interval's days. `{ days: 1, of: 1 }` is the whole. */
export interface Share {
  readonly days: number;
  readonly of: number;
}
export const WHOLE: Share = { days: 1, of: 1 };

/** Half-open. */
interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** What a period pays of its interval's price: its share of days, the whole price where nothing is prorated. */
export function shareOf(period: Days, interval: Days, proRata: boolean): Share {
  if (!proRata || (period.from === interval.from && period.to === interval.to)) return WHOLE;
  return { days: daysFrom(period.from, period.to), of: daysFrom(interval.from, interval.to) };
}

/** The share as documents show it; null for a whole interval. */
export const daysOf = ({ days, of }: Share): { readonly used: number; readonly of: number } | null =>
  days === of ? null : { used: days, of };
