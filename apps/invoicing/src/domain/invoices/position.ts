import type { UsageSource } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { TaxCategory, LegalNoteKey } from '@kontor/tax';

export const POSITION_TYPES = ['product', 'discount', 'setup', 'dunning_fee', 'invoice'] as const;
export type PositionType = (typeof POSITION_TYPES)[number];

/** A line of a document: what was entered or rated, in its own currency, and what it comes to in the document's. */
export interface Position {
  readonly id: string;
  readonly invoiceId: string;
  /** Order within the document, 1, 2, 3 …; children directly follow their parent. */
  readonly ordinal: number;
  readonly parentId: string | null;
  readonly groupId: string | null;
  readonly groupName: string | null;
  readonly groupRanking: number | null;
  readonly type: PositionType;
  readonly name: string;
  readonly description: string | null;
  /** Decimal text; negative for credits. */
  readonly quantity: string;
  readonly unitId: string | null;
  readonly unitName: string | null;
  /** `priceAmount × 10^-pricePrecision` of `priceCurrencyCode` per unit. */
  readonly priceAmount: bigint;
  readonly pricePrecision: number;
  readonly priceCurrencyCode: string;
  /**
   * Rated by billing, in `priceCurrencyCode`, before discount: wins over quantity × price (tiers, free units,
   * proration).
   */
  readonly ratedNetMinor: bigint | null;
  /** Of the sign of `ratedNetMinor`. */
  readonly ratedDiscountMinor: bigint | null;
  readonly discountPercentage: string | null;
  /** Positive, minor units of `priceCurrencyCode`. */
  readonly discountFixedMinor: bigint | null;
  readonly taxGroupId: string;
  readonly isGood: boolean;
  readonly product: Record<string, unknown> | null;
  readonly subscriptionItem: Record<string, unknown> | null;
  readonly subscription: SubscriptionReference | null;
  readonly chargeId: string | null;
  /** The charge that this line credits or corrects: it is taxed as that one was. */
  readonly originalChargeId?: string | null;
  /** Where a line that bills usage was measured. */
  readonly usage?: UsageSource | null;
  readonly serviceFrom: Date | null;
  /** An instant of the last included day. */
  readonly serviceLast: Date | null;
  readonly createdAt: Date;
}

/** The subscription that a line bills, as far as headlines and texts name it. */
export interface SubscriptionReference {
  readonly id: string;
  readonly name: string | null;
  readonly number: string | null;
  readonly poNumber: string | null;
  readonly customFields: Readonly<Record<string, string>> | null;
  /** Whose it is when the document goes to another customer, who pays for it. */
  readonly customer?: { readonly id: string; readonly name: string; readonly number: string };
}

/** A position with its amounts in the document's currency. */
export interface PricedPosition extends Position {
  /** Before discount. */
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  /** After discount. */
  readonly taxMinor: bigint;
  readonly grossMinor: bigint;
  readonly taxCategory: TaxCategory | null;
  readonly taxRate: string;
  readonly taxNoteKey: LegalNoteKey | null;
  /** The rate as shown: id, code, rate, description; null where none applies. */
  readonly tax: AppliedTax | null;
}

/** What of a price its line shows. */
export type ShownPrice = Pick<
  Position,
  'quantity' | 'priceAmount' | 'pricePrecision' | 'priceCurrencyCode' | 'discountPercentage'
>;

/**
 * Quantity and price as a line shows them. A credit that was limited to what was left of its original is no multiple of that
 * one's price any more: it shows the amount itself, once.
 */
export function shownPriceOf(position: PricedPosition, currencyCode: string): ShownPrice {
  const { ratedNetMinor, netMinor, priceCurrencyCode } = position;
  if (ratedNetMinor === null || ratedNetMinor === netMinor || priceCurrencyCode !== currencyCode) return position;
  return {
    quantity: netMinor < 0n ? '-1' : '1',
    priceAmount: netMinor < 0n ? -netMinor : netMinor,
    pricePrecision: exponentOf(currencyCode),
    priceCurrencyCode: currencyCode,
    discountPercentage: null,
  };
}

export interface AppliedTax {
  readonly id: string;
  readonly code: string;
  readonly rate: string;
  readonly description: string | null;
  /** The country of the EU where the tax is owed, where that is not the seller's: the one-stop shop declares it. */
  readonly destination?: string;
}

/**
 * Checks that a position can hang below another: same document, and trees are at most two deep.
 * @throws DomainError `position_tree_too_deep`.
 */
export function mustTakeChild(parent: Pick<Position, 'parentId'>): void {
  if (parent.parentId !== null) {
    throw new DomainError('position_tree_too_deep', {
      detail: 'Positions can be nested two deep at most.',
      violations: [
        { propertyPath: 'parent', message: 'The parent is a child itself.', code: 'position_tree_too_deep' },
      ],
    });
  }
}

/** Positions in document order: groups by rank (ungrouped first), then as entered, children behind their parent. */
export function inDocumentOrder<P extends Pick<Position, 'id' | 'ordinal' | 'parentId' | 'groupRanking'>>(
  positions: readonly P[],
): P[] {
  const byOrdinal = (a: P, b: P): number => a.ordinal - b.ordinal;
  const children = new Map<string, P[]>();
  for (const p of positions)
    if (p.parentId !== null) children.set(p.parentId, [...(children.get(p.parentId) ?? []), p]);
  return positions
    .filter((p) => p.parentId === null)
    .sort((a, b) => (a.groupRanking ?? 0) - (b.groupRanking ?? 0) || byOrdinal(a, b))
    .flatMap((p) => [p, ...(children.get(p.id) ?? []).sort(byOrdinal)]);
}

/** The same positions numbered 1, 2, 3 … in document order. */
export const renumbered = <P extends Position>(positions: readonly P[]): P[] =>
  inDocumentOrder(positions).map((position, index) => ({ ...position, ordinal: index + 1 }));

/** First and last instant over all service periods; null when no position has one. */
export function servicePeriodOf(positions: readonly Pick<Position, 'serviceFrom' | 'serviceLast'>[]): {
  from: Date | null;
  last: Date | null;
} {
  let from: Date | null = null;
  let last: Date | null = null;
  for (const position of positions) {
    const start = position.serviceFrom ?? position.serviceLast;
    const end = position.serviceLast ?? position.serviceFrom;
    if (start && (!from || start < from)) from = start;
    if (end && (!last || end > last)) last = end;
  }
  return { from, last };
}
