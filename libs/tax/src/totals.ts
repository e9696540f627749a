import { decimal, divideRounded, isSafeAmount } from '@kontor/money';
import type { TaxCategory } from './category.js';
import type { LegalNoteKey } from './legal-note.js';
import { taxBounds, withinBounds } from './tax-bounds.js';

/** A line as far as totals depend on it. All amounts are minor units of the document's currency. */
export interface TotalsLine {
  /** Before discount; negative for credits. */
  readonly netMinor: bigint;
  /** Of the sign of `netMinor`. */
  readonly discountMinor: bigint;
  readonly category: TaxCategory;
  /** Percent, decimal text. */
  readonly rate: string;
  readonly noteKey: LegalNoteKey | null;
  /** Tax that is known already, of a line that takes back all that is left of an earlier one: it is not computed anew. */
  readonly givenTaxMinor?: bigint;
}

/** What a line pays, after discount; in the order of the lines. */
export interface LineTax {
  readonly netAfterDiscountMinor: bigint;
  readonly taxMinor: bigint;
  readonly grossMinor: bigint;
}

/** A row of the VAT table (EN 16931 BG-23). */
export interface TaxSubtotal {
  readonly category: TaxCategory;
  readonly rate: string;
  readonly noteKey: LegalNoteKey | null;
  /** Sum of (net − discount) of the group's lines. */
  readonly baseMinor: bigint;
  readonly taxMinor: bigint;
}

export interface Totals {
  readonly lines: readonly LineTax[];
  readonly taxes: readonly TaxSubtotal[];
  readonly netBeforeDiscountMinor: bigint;
  readonly discountMinor: bigint;
  /** After discounts: `netBeforeDiscountMinor − discountMinor`. */
  readonly netMinor: bigint;
  readonly taxMinor: bigint;
  /** `netMinor + taxMinor`. */
  readonly grossMinor: bigint;
}

/**
 * Totals of a document: the tax of a (category, rate) group is rounded once, half away from zero, and spread over the
 * group's lines by largest remainder, so lines, groups and totals agree to the minor unit.
 * @see EN 16931 BR-CO-10 to BR-CO-17
 */
export function totalsOf(lines: readonly TotalsLine[], currencyCode: string): Totals {
  const taxes: TaxSubtotal[] = [];
  const lineTaxes = new Array<bigint>(lines.length).fill(0n);
  for (const indexes of groups(lines).values()) {
    const first = lines[indexes[0] as number] as TotalsLine;
    const bases = indexes.map((index) => afterDiscount(lines[index] as TotalsLine));
    const baseMinor = sum(bases);
    const given = indexes.map((index) => (lines[index] as TotalsLine).givenTaxMinor);
    const spread = given.every((tax) => tax === undefined)
      ? spreadTax(bases, baseMinor, first.rate)
      : completeTax(bases, given, { baseMinor, rate: first.rate, currencyCode });
    indexes.forEach((index, i) => (lineTaxes[index] = spread.parts[i] as bigint));
    taxes.push({
      category: first.category,
      rate: first.rate,
      noteKey: first.noteKey,
      baseMinor,
      taxMinor: spread.taxMinor,
    });
  }
  const netBeforeDiscountMinor = sum(lines.map((line) => line.netMinor));
  const discountMinor = sum(lines.map((line) => line.discountMinor));
  const netMinor = netBeforeDiscountMinor - discountMinor;
  const taxMinor = sum(taxes.map((tax) => tax.taxMinor));
  return {
    lines: lines.map((line, i) => {
      const net = afterDiscount(line);
      const tax = lineTaxes[i] as bigint;
      return { netAfterDiscountMinor: net, taxMinor: tax, grossMinor: net + tax };
    }),
    taxes,
    netBeforeDiscountMinor,
    discountMinor,
    netMinor,
    taxMinor,
    grossMinor: netMinor + taxMinor,
  };
}

/**
 * Whether JSON carries each amount of a document exactly. Large amounts of opposite signs may sum to something small, so
 * lines and groups are looked at, too.
 */
export const areSafeTotals = (totals: Totals): boolean =>
  [totals, ...totals.lines, ...totals.taxes]
    .flatMap((part) => Object.values(part) as unknown[])
    .every((amount) => typeof amount !== 'bigint' || isSafeAmount(amount));

/** The totals of the document that takes this one back whole: every amount negated, nothing rounded again. */
export const negateTotals = (totals: Totals): Totals => ({
  lines: totals.lines.map((line) => ({
    netAfterDiscountMinor: -line.netAfterDiscountMinor,
    taxMinor: -line.taxMinor,
    grossMinor: -line.grossMinor,
  })),
  taxes: totals.taxes.map((tax) => ({ ...tax, baseMinor: -tax.baseMinor, taxMinor: -tax.taxMinor })),
  netBeforeDiscountMinor: -totals.netBeforeDiscountMinor,
  discountMinor: -totals.discountMinor,
  netMinor: -totals.netMinor,
  taxMinor: -totals.taxMinor,
  grossMinor: -totals.grossMinor,
});

const afterDiscount = (line: TotalsLine): bigint => line.netMinor - line.discountMinor;
const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

function groups(lines: readonly TotalsLine[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const key = `${line.category}|${line.rate}|${line.noteKey ?? ''}`;
    const group = found.get(key);
    if (group) group.push(index);
    else found.set(key, [index]);
  });
  return found;
}

/** A group's tax, and what of it each of its lines bears. */
interface SpreadTax {
  readonly taxMinor: bigint;
  readonly parts: readonly bigint[];
}

/**
 * Rounds the tax of a group once and spreads it: each line gets its exact tax rounded down, the missing units go to
 * the largest remainders, ties to the earlier line. Lines may have either sign. A negative group mirrors the positive one.
 */
function spreadTax(bases: readonly bigint[], baseMinor: bigint, rate: string): SpreadTax {
  const { coefficient, scale } = decimal(rate);
  if (coefficient === 0n) return { taxMinor: 0n, parts: bases.map(() => 0n) };
  const denominator = 100n * 10n ** BigInt(scale);
  const sign = baseMinor < 0n ? -1n : 1n;
  const size = divideRounded(baseMinor * sign * coefficient, denominator, 'half_up');
  if (bases.length === 1) return { taxMinor: size * sign, parts: [size * sign] };
  const exact = bases.map((base) => base * sign * coefficient);
  const parts = exact.map((numerator) => floorDivide(numerator, denominator));
  const order = exact
    .map((numerator, index) => ({ index, rest: numerator - (parts[index] as bigint) * denominator }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let missing = size - sum(parts);
  for (const { index } of order) {
    if (missing === 0n) break;
    parts[index] = (parts[index] as bigint) + 1n;
    missing -= 1n;
  }
  return { taxMinor: size * sign, parts: parts.map((part) => part * sign) };
}

/**
 * The tax of a group in which some lines have theirs given. It is rounded once on the whole base, and what the given ones
 * leave is spread over the others; a group of given taxes only, and of lines that cost nothing, is their sum, or as near to
 * it as its rate allows.
 */
function completeTax(
  bases: readonly bigint[],
  given: readonly (bigint | undefined)[],
  { baseMinor, rate, currencyCode }: { baseMinor: bigint; rate: string; currencyCode: string },
): SpreadTax {
  const parts = given.map((tax) => tax ?? 0n);
  // What costs nothing bears no roundings of others: no more goes back than was billed.
  const open = given.flatMap((tax, index) => (tax === undefined && bases[index] !== 0n ? [index] : []));
  if (open.length === 0)
    return fitTax(bases, parts, withinBounds(sum(parts), taxBounds(baseMinor, rate, currencyCode)));
  const { taxMinor } = spreadTax([baseMinor], baseMinor, rate);
  const openBases = open.map((index) => bases[index] as bigint);
  const spread = spreadTax(openBases, sum(openBases), rate);
  open.forEach((index, i) => (parts[index] = spread.parts[i] as bigint));
  // Roundings of the given lines, a few minor units: the largest of the others bears them.
  const largest = open.reduce((a, b) => (size(bases[b] as bigint) > size(bases[a] as bigint) ? b : a));
  parts[largest] = (parts[largest] as bigint) + taxMinor - sum(parts);
  return { taxMinor, parts };
}

/**
 * Lines of a document that was taxed as a whole bear shares of its tax, each rounded: some of them together may be further from
 * their rate than an e-invoice can state. All bear the difference alike, and the largest of them what does not divide.
 */
function fitTax(bases: readonly bigint[], parts: readonly bigint[], taxMinor: bigint): SpreadTax {
  const missing = taxMinor - sum(parts);
  if (missing === 0n) return { taxMinor, parts };
  const each = missing / BigInt(parts.length);
  const rest = missing - each * BigInt(parts.length);
  const largest = bases
    .map((base, index) => ({ size: size(base), index }))
    .sort((a, b) => (a.size === b.size ? a.index - b.index : a.size > b.size ? -1 : 1));
  const fitted = parts.map((part) => part + each);
  for (const { index } of largest.slice(0, Number(size(rest))))
    fitted[index] = (fitted[index] as bigint) + (rest < 0n ? -1n : 1n);
  return { taxMinor, parts: fitted };
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}
