import { divideRounded } from '@kontor/money';
import type { TotalsLine } from './totals.js';

/** An earlier line: how it was taxed, and what later ones have left of it. Minor units of its document's currency. */
export interface BilledTax extends Pick<TotalsLine, 'category' | 'rate' | 'noteKey'> {
  readonly chargeId: string;
  readonly currencyCode: string;
  /** As it was billed, after discount. */
  readonly billedMinor: bigint;
  /** What is left of that. */
  readonly netMinor: bigint;
  readonly taxMinor: bigint;
}

type Amounts = Pick<TotalsLine, 'netMinor' | 'discountMinor'>;

/** A line of a document; `billed` is what it credits or corrects. */
export interface WantedLine<B extends BilledTax> extends Amounts {
  readonly billed: B | undefined;
}

/** What becomes of such a line. */
export interface LineAsBilled<B extends BilledTax> extends Amounts {
  /** As it was before this line took from it. */
  readonly billed: B;
  readonly givenTaxMinor?: bigint;
  /** Less than it wanted: no more was left. */
  readonly isLimited: boolean;
}

/**
 * The lines of one document that credit or correct earlier ones, in their order: each takes at most what is left, and the
 * tax that was billed for it. Null for the others, whose tax is decided anew.
 * @see docs/rules/tax.md#money-that-goes-back
 */
export function taxAsBilled<B extends BilledTax>(
  lines: readonly WantedLine<B>[],
  currencyCode: string,
): (LineAsBilled<B> | null)[] {
  const times = new Map<string, number>();
  for (const { billed } of lines) if (billed) times.set(billed.chargeId, (times.get(billed.chargeId) ?? 0) + 1);
  const lefts = new Map<string, B>();
  return lines.map(({ netMinor, discountMinor, billed: found }) => {
    if (!found) return null;
    const wanted = { netMinor, discountMinor };
    const billed = lefts.get(found.chargeId) ?? found;
    const isForeign = billed.currencyCode !== currencyCode;
    if (isForeign && !isUsedUp(wanted, billed)) return { ...wanted, billed, isLimited: false };
    const amounts = withinRest(wanted, billed);
    const isLimited = amounts !== wanted;
    const net = afterDiscount(amounts);
    const givenTaxMinor = isLimited && net === 0n ? 0n : taxOfRest(net, billed, times.get(billed.chargeId) === 1);
    lefts.set(billed.chargeId, {
      ...billed,
      netMinor: billed.netMinor + net,
      taxMinor: billed.taxMinor + (givenTaxMinor ?? 0n),
    });
    return { ...amounts, billed, isLimited, ...(givenTaxMinor === undefined ? {} : { givenTaxMinor }) };
  });
}

const afterDiscount = ({ netMinor, discountMinor }: Amounts): bigint => netMinor - discountMinor;
const sizeOf = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
const turnsBack = (minor: bigint, line: BilledTax): boolean => minor !== 0n && minor < 0n === line.billedMinor >= 0n;

/** It credits a line of which nothing is left: that is so in any currency, while what is left is not compared in another one. */
const isUsedUp = (amounts: Amounts, line: BilledTax): boolean =>
  turnsBack(afterDiscount(amounts), line) && !turnsBack(-line.netMinor, line);

/**
 * What credits an earlier line credits at most what credits by hand, refunds, cancellations and other lines have left of
 * it.
 * @see docs/rules/invoices.md#credits-cancellations-refunds
 */
function withinRest(amounts: Amounts, line: BilledTax): Amounts {
  const wanted = afterDiscount(amounts);
  if (!turnsBack(wanted, line)) return amounts;
  const left = turnsBack(-line.netMinor, line) ? sizeOf(line.netMinor) : 0n;
  const size = sizeOf(wanted);
  if (size <= left) return amounts;
  const discountMinor = divideRounded(amounts.discountMinor * left, size, 'half_up');
  return { netMinor: (wanted < 0n ? -left : left) + discountMinor, discountMinor };
}

/**
 * The tax of a line that takes back all that is left of an earlier one is what is left of its tax, to the minor unit.
 * Several that take from one line in the same document each have their share of it.
 */
function taxOfRest(netMinor: bigint, line: BilledTax, isOnly: boolean): bigint | undefined {
  if (line.netMinor + netMinor === 0n) return -line.taxMinor;
  if (isOnly || line.netMinor === 0n || !turnsBack(netMinor, line)) return undefined;
  return divideRounded(line.taxMinor * netMinor, line.netMinor, 'half_up');
}
