import { DomainError } from './errors.js';

/** A calendar interval as the API writes it: `1D`, `14D`, `2W`, `1M`, `3M`, `1Y`. */
export interface Interval {
  readonly count: number;
  readonly unit: 'D' | 'W' | 'M' | 'Y';
}

const PATTERN = /^([1-9]\d{0,3})([DWMY])$/;

export const isInterval = (text: unknown): text is string => typeof text === 'string' && PATTERN.test(text);

/** @throws DomainError `validation_failed` when `text` is no interval. */
export function parseInterval(text: string): Interval {
  const match = PATTERN.exec(text);
  if (!match) throw new DomainError('validation_failed', { detail: `"${text}" is not an interval such as 14D, 1M or 1Y.` });
  return { count: Number(match[1]), unit: match[2] as Interval['unit'] };
}

export const formatInterval = (interval: Interval): string => `${interval.count}${interval.unit}`;
