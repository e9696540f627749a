import { decimal, exponentOf } from '@kontor/money';
import { afterDiscount, type Amounts, isNothing, type Rest, type Taken, taxKey } from './rest.js';

/** How far the tax of some amounts may be from their rate: in hundredths of the currency's unit. */
const SLACK = { ofDocument: 99n, ofRest: 74n };

/**
 * The tax that is taken of each kind of tax, so near to its rate that an e-invoice can state it, and what is left as well.
 * Each line's share was rounded by itself, and in a currency without decimals a few of them are more than the one unit that
 * BR-CO-17 allows: then lines of which something stays bear the difference, and those that are taken whole only where no
 * other can.
 */
export function fitTaxes(rests: readonly Rest[], taken: readonly Taken[], currencyCode: string): Taken[] {
  const unit = 10n ** BigInt(exponentOf(currencyCode));
  const fitted = [...taken];
  for (const key of new Set(taken.map(({ position }) => taxKey(position)))) {
    const ofKind = fitted.filter(({ position }) => taxKey(position) === key);
    const before = rests.filter(({ position }) => taxKey(position) === key);
    const difference = fittingTax(before, ofKind, unit) - sumOf(ofKind, taxOf);
    if (difference === 0n) continue;
    const lefts = new Map(before.map((rest) => [rest.position.id, rest]));
    for (const part of shift(ofKind, lefts, difference))
      fitted[fitted.findIndex(({ position }) => position.id === part.position.id)] = part;
  }
  return fitted;
}

/** The tax nearest to the sum of the parts that fits, and leaves a tax that fits; the sum itself where all is taken. */
function fittingTax(before: readonly Rest[], taken: readonly Taken[], unit: bigint): bigint {
  const wanted = sumOf(taken, taxOf);
  const [base, baseBefore] = [sumOf(taken, afterDiscount), sumOf(before, afterDiscount)];
  const taxBefore = sumOf(before, taxOf);
  const isAll = before.every((rest) => isNothing(rest) || taken.some((part) => isWhole(part, rest)));
  const { coefficient, scale } = decimal((taken[0] as Taken).position.taxRate);
  if (isAll || coefficient === 0n) return wanted;
  // All that follows is counted in parts of a minor unit, of which `share` make one.
  const share = 100n * 10n ** BigInt(scale) * 100n;
  const slackOf = (hundredths: bigint): bigint => (hundredths * unit * share) / 100n;
  const exact = base * coefficient * 100n;
  const exactLeft = (baseBefore - base) * coefficient * 100n;
  const document = {
    low: divideUp(exact - slackOf(SLACK.ofDocument), share),
    high: divideDown(exact + slackOf(SLACK.ofDocument), share),
  };
  const both = {
    low: bigger(document.low, taxBefore - divideDown(exactLeft + slackOf(SLACK.ofRest), share)),
    high: smaller(document.high, taxBefore - divideUp(exactLeft - slackOf(SLACK.ofRest), share)),
  };
  const { low, high } = both.low <= both.high ? both : document;
  return smaller(bigger(wanted, low), high);
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

function divideDown(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}

const divideUp = (numerator: bigint, denominator: bigint): bigint => -divideDown(-numerator, denominator);
