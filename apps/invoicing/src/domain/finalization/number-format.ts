import { invariant } from '@kontor/kernel';

const SEQUENCE = /\{seq(?::(\d+))?\}/;

/** A series of numbers: gapless per tenant, `series` and `year`. */
export interface Series {
  /** The format without its padding, so that formats whose numbers could meet share one series. */
  readonly series: string;
  /** Calendar year in the tenant's zone; 0 for a format without a year, which never restarts. */
  readonly year: number;
}

export const seriesOf = (format: string, year: number): Series => ({
  series: format.replace(SEQUENCE, '{seq}'),
  year: format.includes('{year}') ? year : 0,
});

/** `RE-{year}-{seq:5}` with 2026 and 7 → `RE-2026-00007`. More digits than the padding are kept. */
export function formatNumber(format: string, year: number, sequence: bigint): string {
  const match = SEQUENCE.exec(format);
  invariant(match, 'a number format has a running number');
  const digits = sequence.toString().padStart(Number(match[1] ?? 0), '0');
  return format.replace(SEQUENCE, digits).replaceAll('{year}', String(year));
}

/** What a format has in a year before and after its running number, and how many digits that has at least. */
export function splitFormat(format: string, year: number): { before: string; after: string; width: number } {
  const [before = '', after = ''] = format.replaceAll('{year}', String(year)).split(/\{seq(?::\d+)?\}/);
  return { before, after, width: Number(SEQUENCE.exec(format)?.[1] ?? 0) };
}

/** True for a number that a format gives, in some year, or that differs from one in case only: who reads it takes it for the same. */
export function isOfFormat(format: string, number: string): boolean {
  const pattern = format
    .split(/(\{seq(?::\d+)?\}|\{year\})/)
    .map((part) => (part === '{year}' ? '\\d{4}' : part.startsWith('{seq') ? '\\d+' : escaped(part)))
    .join('');
  return new RegExp(`^${pattern}$`, 'i').test(number);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
