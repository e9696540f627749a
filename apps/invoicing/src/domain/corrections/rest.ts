import { allocate, compareDecimal, type Decimal, decimal, divideRounded, subtractDecimal } from '@kontor/money';
import type { PricedPosition } from '../invoices/position.js';

/** Amounts of a position in the direction in which the invoice charges it; minor units. */
export interface Amounts {
  /** Before discount. */
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  readonly taxMinor: bigint;
}

/** What of an invoice's position has been neither credited nor refunded. */
export interface Rest extends Amounts {
  readonly position: PricedPosition;
  /** The part of the quantity that no credit by quantity has taken. */
  readonly quantity: Decimal;
}

/** What a correction takes of a position. */
export interface Taken extends Amounts {
  readonly position: PricedPosition;
  /** Null for a credit by amount. */
  readonly quantity: Decimal | null;
}

/** A line of an earlier credit note or refund of the invoice, as it is stored: with its own signs. */
export type Correction = Pick<
  PricedPosition,
  'netMinor' | 'discountMinor' | 'taxMinor' | 'taxCategory' | 'taxRate' | 'taxNoteKey'
> & {
  /** The invoice's position; null for a refund, which is about a kind of tax. */
  readonly correctedPositionId: string | null;
  /** What it took of the position's quantity; null for a credit by amount. */
  readonly correctedQuantity: string | null;
};

export const afterDiscount = ({ netMinor, discountMinor }: Amounts): bigint => netMinor - discountMinor;
export const grossOf = (amounts: Amounts): bigint => afterDiscount(amounts) + amounts.taxMinor;
export const isNothing = ({ netMinor, discountMinor, taxMinor }: Amounts): boolean =>
  netMinor === 0n && discountMinor === 0n && taxMinor === 0n;

/** Positions with the same key are taxed alike. */
export const taxKey = (p: Pick<PricedPosition, 'taxCategory' | 'taxRate' | 'taxNoteKey'>): string =>
  `${p.taxCategory ?? ''} ${p.taxRate} ${p.taxNoteKey ?? ''}`;

/**
 * What is left of each position. Refunds name no positions: what they took of a kind of tax is spread over the
 * positions that were taxed so.
 */
export function restOf(positions: readonly PricedPosition[], corrections: readonly Correction[]): Rest[] {
  const rests = positions.map((position): Rest => {
    const lines = corrections.filter((correction) => correction.correctedPositionId === position.id);
    const sum = (of: (correction: Correction) => bigint): bigint => lines.reduce((total, line) => total + of(line), 0n);
    return {
      position,
      netMinor: position.netMinor + sum((line) => line.netMinor),
      discountMinor: position.discountMinor + sum((line) => line.discountMinor),
      taxMinor: position.taxMinor + sum((line) => line.taxMinor),
      quantity: lines.reduce(
        (left, line) =>
          line.correctedQuantity === null ? left : subtractDecimal(left, decimal(line.correctedQuantity)),
        decimal(position.quantity),
      ),
    };
  });
  passOnTax(rests);
  const refunded = new Map<string, { netMinor: bigint; taxMinor: bigint }>();
  for (const line of corrections) {
    if (line.correctedPositionId !== null) continue;
    const known = refunded.get(taxKey(line)) ?? { netMinor: 0n, taxMinor: 0n };
    known.netMinor -= line.netMinor;
    known.taxMinor -= line.taxMinor;
    refunded.set(taxKey(line), known);
  }
  for (const [key, amounts] of refunded) spread(rests, key, amounts);
  return rests;
}

/**
 * A line that was taken whole with a little more or less than its tax (see `fitTaxes`) leaves the difference to the lines of
 * its kind that still have something; where none has, they are one difference.
 */
function passOnTax(rests: Rest[]): void {
  const strays = rests.filter((rest) => rest.netMinor === 0n && rest.discountMinor === 0n && rest.taxMinor !== 0n);
  for (const key of new Set(strays.map(({ position }) => taxKey(position)))) {
    const ofKind = strays.filter(({ position }) => taxKey(position) === key);
    const left = rests.filter((rest) => taxKey(rest.position) === key && afterDiscount(rest) !== 0n);
    const heirs = left.length > 0 ? left : ofKind.slice(0, 1);
    const stray = ofKind.reduce((sum, { taxMinor }) => sum + taxMinor, 0n);
    const shares = allocate(
      stray,
      heirs.map((rest) => (left.length > 0 ? sizeOfMinor(afterDiscount(rest)) : 1n)),
    );
    const taxes = new Map<Rest, bigint>([
      ...ofKind.map((rest) => [rest, 0n] as const),
      ...heirs.map((rest, i) => [rest, (left.length > 0 ? rest.taxMinor : 0n) + (shares[i] as bigint)] as const),
    ]);
    rests.forEach((rest, index) => (rests[index] = { ...rest, taxMinor: taxes.get(rest) ?? rest.taxMinor }));
  }
}

/** Takes what was refunded of a kind of tax from the positions that still have something of it. */
function spread(rests: Rest[], key: string, refunded: { netMinor: bigint; taxMinor: bigint }): void {
  const charged = rests.flatMap((rest, index) =>
    taxKey(rest.position) === key && afterDiscount(rest) > 0n ? [{ rest, index }] : [],
  );
  if (charged.length === 0) return;
  const weights = charged.map(({ rest }) => afterDiscount(rest));
  const whole = weights.reduce((a, b) => a + b, 0n);
  const nets = allocate(smaller(refunded.netMinor, whole), weights);
  const taxes = allocate(
    refunded.taxMinor,
    charged.map(({ rest }) => (rest.taxMinor > 0n ? rest.taxMinor : 0n)),
  );
  charged.forEach(({ rest, index }, i) => {
    const part = partOf(rest, nets[i] as bigint, weights[i] as bigint);
    rests[index] = {
      ...rest,
      netMinor: rest.netMinor - part.netMinor,
      discountMinor: rest.discountMinor - part.discountMinor,
      taxMinor: rest.taxMinor - smaller(taxes[i] as bigint, rest.taxMinor > 0n ? rest.taxMinor : 0n),
    };
  });
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const sizeOfMinor = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
const negated = (value: Decimal): Decimal => ({ coefficient: -value.coefficient, scale: value.scale });

/** All of a rest, exactly; null when nothing is left of it. */
export const takeAll = (rest: Rest): Taken | null => (isNothing(rest) ? null : { ...rest });

/** `quantity` of a position; null when that is more than is left of it. Taking all of it takes its amounts exactly. */
export function takeQuantity(rest: Rest, quantity: Decimal): Taken | null {
  const wanted = sizeOf(quantity);
  const left = sizeOf(rest.quantity);
  const order = compareDecimal(wanted, left);
  const isOther = quantity.coefficient < 0n !== rest.quantity.coefficient < 0n;
  if (order > 0 || isOther || wanted.coefficient === 0n || isNothing(rest)) return null;
  if (order === 0) return { ...rest };
  const scale = Math.max(wanted.scale, left.scale);
  const unitsOf = (value: Decimal): bigint => value.coefficient * 10n ** BigInt(scale - value.scale);
  return { ...rest, ...partOf(rest, unitsOf(wanted), unitsOf(left)), quantity };
}

const sizeOf = (value: Decimal): Decimal => (value.coefficient < 0n ? negated(value) : value);

/** `netMinor` (after discount, more than zero) of a position; null when that is more than is left of it. */
export function takeAmount(rest: Rest, netMinor: bigint): Taken | null {
  const left = afterDiscount(rest);
  const size = left < 0n ? -left : left;
  if (netMinor > size || netMinor <= 0n) return null;
  return { ...rest, ...(netMinor === size ? {} : partOf(rest, netMinor, size)), quantity: null };
}

/** `numerator / denominator` of some amounts; never more than they are. */
function partOf(of: Amounts, numerator: bigint, denominator: bigint): Amounts {
  const part = (minor: bigint): bigint => divideRounded(minor * numerator, denominator, 'half_up');
  const after = part(afterDiscount(of));
  const netMinor = part(of.netMinor);
  return { netMinor, discountMinor: netMinor - after, taxMinor: part(of.taxMinor) };
}
