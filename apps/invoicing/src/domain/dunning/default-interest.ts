import { addDays, type Day, daysBetween } from '@kontor/kernel';
import { divideRounded } from '@kontor/money';

/**
 * The base rate of § 247 BGB in hundredths of a per cent, by the day from which it holds; the last one holds on.
 * @see https://www.bundesbank.de/de/bundesbank/organisation/agb-und-regelungen/basiszinssatz-607820
 */
const BASE_RATES: readonly (readonly [Day, number])[] = [
  ['2016-07-01', -88],
  ['2023-01-01', 162],
  ['2023-07-01', 312],
  ['2024-01-01', 362],
  ['2024-07-01', 337],
  ['2025-01-01', 227],
  ['2025-07-01', 127],
  ['2026-01-01', 127],
  ['2026-07-01', 152],
];
/** Points over the base rate. @see § 288 (1), (2) BGB */
const POINTS = { business: 900, consumer: 500 } as const;

/** What a business is owed besides, in cents. @see § 288 (5) BGB */
export const LUMP_SUM_CENTS = 4000n;

/** Statutory interest on an open amount from `from` to `to`, both included; rounded once. */
export function defaultInterest(
  openMinor: bigint,
  { from, to, debtor }: { readonly from: Day; readonly to: Day; readonly debtor: keyof typeof POINTS },
): bigint {
  if (openMinor <= 0n || to < from) return 0n;
  let weighted = 0n;
  for (const [index, [start, rate]] of BASE_RATES.entries()) {
    const next = BASE_RATES[index + 1]?.[0];
    const first = start > from ? start : from;
    const end = next === undefined || next > to ? addDays(to, 1) : next;
    if (first < end) weighted += BigInt(daysBetween(first, end)) * BigInt(rate + POINTS[debtor]);
  }
  return divideRounded(openMinor * weighted, 365n * 10_000n, 'half_up');
}
