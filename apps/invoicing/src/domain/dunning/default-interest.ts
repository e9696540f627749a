import { addDays, type Day, daysBetween } from '@kontor/kernel';
import { divideRounded } from '@kontor/money';
import type { BaseRates } from './base-rates.js';

/** Points over the base rate. @see § 288 (1), (2) BGB */
const POINTS = { business: 900, consumer: 500 } as const;

/** What a business is owed besides, in cents. @see § 288 (5) BGB */
export const LUMP_SUM_CENTS = 4000n;

/** Statutory interest on an open amount from `from` to `to`, both included; rounded once. */
export function defaultInterest(
  openMinor: bigint,
  { from, to, debtor }: { readonly from: Day; readonly to: Day; readonly debtor: keyof typeof POINTS },
  rates: BaseRates,
): bigint {
  if (openMinor <= 0n || to < from) return 0n;
  let weighted = 0n;
  for (const [index, [start, rate]] of rates.entries()) {
    const next = rates[index + 1]?.[0];
    const first = start > from ? start : from;
    const end = next === undefined || next > to ? addDays(to, 1) : next;
    if (first < end) weighted += BigInt(daysBetween(first, end)) * BigInt(rate + POINTS[debtor]);
  }
  return divideRounded(openMinor * weighted, 365n * 10_000n, 'half_up');
}
