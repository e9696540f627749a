import { DomainError } from './errors.js';

/** A calendar interval as the API writes it: `1D`, `14D`, `2W`, `1M`, `3M`, `1Y`. */
export interface Interval {
  readonly count: number;
  readonly unit: 'D' | 'W' | 'M' | 'Y';
}

const PATTERN = /^([1-9]\d{0,3})([DWMY])$/;
/** Ten years: what is computed from an interval stays far from the calendar's end. */
const MAX_COUNT: Readonly<Record<Interval['unit'], number>> = { D: 3_660, W: 522, M: 120, Y: 10 };

/** What `isInterval` accepts, as a regular expression for documents. */
export const INTERVAL_PATTERN =
  '^([1-9]\\d{0,2}D|[12]\\d{3}D|3[0-5]\\d{2}D|36[0-5]\\dD|3660D|[1-9]\\d?W|[1-4]\\d{2}W|5[01]\\dW|52[0-2]W|[1-9]\\d?M|1[01]\\dM|120M|[1-9]Y|10Y)$';

const read = (text: string): Interval | undefined => {
  const match = PATTERN.exec(text);
  const interval = match && { count: Number(match[1]), unit: match[2] as Interval['unit'] };
  return interval && interval.count <= MAX_COUNT[interval.unit] ? interval : undefined;
};

/** True for an interval of at most ten years. */
export const isInterval = (text: unknown): text is string => typeof text === 'string' && read(text) !== undefined;

/** @throws DomainError `validation_failed` when `text` is no interval, or longer than ten years. */
export function parseInterval(text: string): Interval {
  const interval = read(text);
  if (!interval)
    throw new DomainError('validation_failed', {
      detail: `"${text}" is not an interval of up to ten years such as 14D, 1M or 1Y.`,
    });
  return interval;
}

export const formatInterval = (interval: Interval): string => `${interval.count}${interval.unit}`;
