import { divideRounded } from '@kontor/money';
import { MOVEMENT_KINDS, type MovementKind } from './movements.js';

/** Movements of one kind in a month, or of all earlier ones (`month` -1), added up. */
export interface SummedMovements {
  readonly month: number;
  readonly kind: MovementKind;
  readonly annualMinor: bigint;
  readonly subscriptions: number;
  /** How many movements they are. */
  readonly count: number;
}

export interface MonthlyFigures {
  /** A year's amount at the end of the month. */
  readonly arr: bigint;
  readonly mrr: bigint;
  readonly mrrAtStart: bigint;
  /** Their sum is `mrr - mrrAtStart`. What lowers it is negative. */
  readonly moved: Readonly<Record<MovementKind, bigint>>;
  /** With an amount, at the end and at the start of the month. */
  readonly subscriptions: number;
  readonly subscriptionsAtStart: number;
  readonly lost: number;
}

const KINDS = MOVEMENT_KINDS.length;
const monthly = (annualMinor: bigint): bigint => divideRounded(annualMinor, 12n, 'half_up');

/** Figures of each of `months` months, one after the other. @see docs/rules/analytics.md#recurring-revenue */
export function monthlyFigures(summed: readonly SummedMovements[], months: number): MonthlyFigures[] {
  const annual = Array.from({ length: months }, () => Array.from({ length: KINDS }, () => 0n));
  const lost = Array.from({ length: months }, () => 0);
  const counts = Array.from({ length: months }, () => 0);
  let level = 0n;
  let subscriptions = 0;
  for (const { month, kind, annualMinor, ...sum } of summed) {
    if (month < 0) {
      level += annualMinor;
      subscriptions += sum.subscriptions;
      continue;
    }
    annual[month]![MOVEMENT_KINDS.indexOf(kind)]! += annualMinor;
    counts[month]! += sum.subscriptions;
    if (kind === 'churn') lost[month]! += sum.count;
  }
  return annual.map((moved, n) => {
    const before = { level, subscriptions };
    level = moved.reduce((sum, part) => sum + part, level);
    subscriptions += counts[n]!;
    const mrrAtStart = monthly(before.level);
    const mrr = monthly(level);
    const parts = roundTogether(moved, mrr - mrrAtStart);
    return {
      arr: level,
      mrr,
      mrrAtStart,
      moved: Object.fromEntries(MOVEMENT_KINDS.map((kind, k) => [kind, parts[k]!])) as Record<MovementKind, bigint>,
      subscriptions,
      subscriptionsAtStart: before.subscriptions,
      lost: lost[n]!,
    };
  });
}

/** A twelfth of each, rounded so that together they are `total`: those nearest to the next unit give way. */
function roundTogether(annual: readonly bigint[], total: bigint): bigint[] {
  const parts = annual.map(monthly);
  let rest = total - parts.reduce((sum, part) => sum + part, 0n);
  const step = rest < 0n ? -1n : 1n;
  const byRest = annual
    .map((amount, n) => ({ n, off: (amount - parts[n]! * 12n) * step }))
    .filter(({ n }) => annual[n] !== 0n)
    .sort((a, b) => (a.off > b.off ? -1 : a.off < b.off ? 1 : a.n - b.n));
  for (const { n } of byRest) {
    if (rest === 0n) break;
    parts[n]! += step;
    rest -= step;
  }
  return parts;
}
