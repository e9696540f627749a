import { decimal } from '@kontor/money';
import { taxBounds, withinBounds } from '@kontor/tax';
import { afterDiscount, type Amounts, isNothing, type Rest, type Taken, taxKey } from './rest.js';

/** How far the tax of what is left may be from its rate, in hundredths of the currency's unit: less than what a document may have. */
const SLACK_OF_REST = 74n;

/**
 * The tax that is taken of each kind of tax, so near to its rate that an e-invoice can state it, and what is left as well.
 * Each line's share was rounded by itself, and in a currency without decimals a few of them are more than the one unit that
 * BR-CO-17 allows: then lines of which something stays bear the difference, and those that are taken whole only where no
 * other can.
 */
export function fitTaxes(rests: readonly Rest[], taken: readonly Taken[], currencyCode: string): Taken[] {
  const fitted = [...taken];
  for (const key of new Set(taken.map(({ position }) => taxKey(position)))) {
    const ofKind = fitted.filter(({ position }) => taxKey(position) === key);
    const before = rests.filter(({ position }) => taxKey(position) === key);
    const difference = fittingTax(before, ofKind, currencyCode) - sumOf(ofKind, taxOf);
    if (difference === 0n) continue;
    const lefts = new Map(before.map((rest) => [rest.position.id, rest]));
    for (const part of shift(ofKind, lefts, difference))
      fitted[fitted.findIndex(({ position }) => position.id === part.position.id)] = part;
  }
  return fitted;
}

/** The tax nearest to the sum of the parts that fits, and leaves a tax that fits; the sum itself where all is taken. */
function fittingTax(before: readonly Rest[], taken: readonly Taken[], currencyCode: string): bigint {
  const wanted = sumOf(taken, taxOf);
  const [base, baseBefore] = [sumOf(taken, afterDiscount), sumOf(before, afterDiscount)];
  const taxBefore = sumOf(before, taxOf);
  const isAll = before.every((rest) => isNothing(rest) || taken.some((part) => isWhole(part, rest)));
  const { taxRate } = (taken[0] as Taken).position;
  if (isAll || decimal(taxRate).coefficient === 0n) return wanted;
  const document = taxBounds(base, taxRate, currencyCode);
  const left = taxBounds(baseBefore - base, taxRate, currencyCode, SLACK_OF_REST);
  const both = { low: bigger(document.low, taxBefore - left.high), high: smaller(document.high, taxBefore - left.low) };
  return withinBounds(wanted, both.low <= both.high ? both : document);
}

/** Adds `difference` to the taxes of lines, unit by unit in turns, within what each has left; first to those that stay. */
function shift(taken: readonly Taken[], lefts: ReadonlyMap<string, Rest>, difference: bigint): Taken[] {
  const step = difference > 0n ? 1n : -1n;
  const parts: (Taken & { taxMinor: bigint })[] = taken.map((part) => ({ ...part }));
  const restOfLine = (part: Taken): Rest => lefts.get(part.position.id) as Rest;
  const stays = (part: Taken): boolean => !isWhole({ ...part, taxMinor: restOfLine(part).taxMinor }, restOfLine(part));
  const hasRoom = (part: Taken): boolean => isWithin(part.taxMinor + step, restOfLine(part).taxMinor);
  const ways = [
    (part: Taken): boolean => stays(part) && hasRoom(part),
    (part: Taken): boolean => !stays(part) && hasRoom(part),
    () => true,
  ];
  let missing = difference;
  for (const may of ways)
    while (missing !== 0n && parts.some(may))
      for (const part of parts) {
        if (missing === 0n || !may(part)) continue;
        part.taxMinor += step;
        missing -= step;
      }
  return parts;
}

const taxOf = ({ taxMinor }: Amounts): bigint => taxMinor;
const sumOf = <T extends Amounts>(parts: readonly T[], of: (part: T) => bigint): bigint =>
  parts.reduce((sum, part) => sum + of(part), 0n);
const isWhole = (part: Taken, rest: Rest): boolean =>
  part.position.id === rest.position.id &&
  part.netMinor === rest.netMinor &&
  part.discountMinor === rest.discountMinor &&
  part.taxMinor === rest.taxMinor;
const isWithin = (minor: bigint, whole: bigint): boolean =>
  whole < 0n ? minor <= 0n && minor >= whole : minor >= 0n && minor <= whole;
const bigger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
