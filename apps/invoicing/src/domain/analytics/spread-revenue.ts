import { addDays, type Day, daysBetween } from '@kontor/kernel';
import { divideRounded } from '@kontor/money';

/** Net amount of a position, or of all that share a service period and a month of finalization. */
export interface BilledLine {
  readonly netMinor: bigint;
  /** First and last day that was paid for; null: none is named, and the day of finalization counts. */
  readonly serviceFrom: Day | null;
  readonly serviceLast: Day | null;
  /** Place of the month in which it was finalized among the months that are asked for; below 0 before, beyond the last after. */
  readonly month: number;
}

export interface RevenueMonth {
  /** Finalized in the month. */
  readonly invoicedMinor: bigint;
  /** Of services in the month, whenever they were invoiced. */
  readonly recognizedMinor: bigint;
  /** Invoiced by the end of the month for services after it; below 0 where more was rendered than was invoiced. */
  readonly deferredMinor: bigint;
}

/**
 * What of a line was rendered before a day: its share of days, rounded once at each boundary, so that all months sum to the line.
 * Nothing where its service goes on that day and `parts` have it.
 */
function renderedBefore({ netMinor, serviceFrom, serviceLast }: BilledLine, day: Day, hasParts: boolean): bigint {
  if (serviceFrom === null || serviceLast === null) return 0n;
  const end = addDays(serviceLast, 1);
  if (day <= serviceFrom) return 0n;
  if (day >= end) return netMinor;
  if (hasParts) return 0n;
  return divideRounded(
    netMinor * BigInt(daysBetween(serviceFrom, day)),
    BigInt(daysBetween(serviceFrom, end)),
    'half_up',
  );
}

/**
 * Revenue by month. `starts`: the first days of the months that are asked for, and of the one after the last. `parts`: for lines of
 * several positions, of which each is rounded by itself: what of those whose service goes on at a start was rendered before it.
 * @see docs/rules/analytics.md#revenue
 */
export function spreadRevenue(
  lines: readonly BilledLine[],
  starts: readonly Day[],
  parts: readonly bigint[] | null = null,
): RevenueMonth[] {
  const last = starts.length - 1;
  const before = starts.map((_, n) => parts?.[n] ?? 0n);
  const invoiced = starts.map(() => 0n);
  let invoicedEarlier = 0n;
  for (const line of lines) {
    const isDated = line.serviceFrom !== null && line.serviceLast !== null;
    if (line.month < 0) invoicedEarlier += line.netMinor;
    else if (line.month < last) invoiced[line.month]! += line.netMinor;
    for (const [n, start] of starts.entries())
      before[n]! += isDated ? renderedBefore(line, start, parts !== null) : line.month < n ? line.netMinor : 0n;
  }
  let sum = invoicedEarlier;
  return starts.slice(0, last).map((_, n) => {
    sum += invoiced[n]!;
    return {
      invoicedMinor: invoiced[n]!,
      recognizedMinor: before[n + 1]! - before[n]!,
      deferredMinor: sum - before[n + 1]!,
    };
  });
}
