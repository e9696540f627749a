import { type Day, daysBetween } from '@kontor/kernel';
import type { ShortenedLine } from '../discounts/applied-discount.js';
import { type BilledCharge, creditUnused, isKept, type UsedPart } from './credit-unused.js';
import { onceForm } from '../rating/rate-line.js';
import type { ChangeCredit } from '../subscriptions/planned-change.js';
import type { ChargeDraft, CreditedCharge } from './charge.js';
import type { ChargeablePrice } from '../subscriptions/item-billing.js';

export interface Credit {
  readonly lines: readonly ChargeDraft[];
  readonly credited: readonly CreditedCharge[];
  /** For the discounts that they had. */
  readonly shortened: readonly ShortenedLine[];
}

/**
 * The lines of a day that credit what was billed of an item beyond `from`, and what they leave of the earlier lines. A
 * change of price says how much goes back.
 */
export function creditLines(
  itemId: string,
  { from, dueOn, credit }: { readonly from: Day; readonly dueOn: Day; readonly credit?: ChangeCredit },
  billed: readonly BilledCharge[],
  priceOf: (pricePlanId: string) => ChargeablePrice,
): Credit {
  const parts = creditUnused(billed, from, priceOf, credit);
  return {
    lines: parts
      .filter(({ charge, usedAmount }) => usedAmount < charge.usedAmount)
      .map((part) => creditLine(itemId, part, dueOn)),
    credited: parts.map(({ charge, usedTo, usedAmount }) => ({ id: charge.id, itemId, usedTo, usedAmount })),
    // What nothing is credited of keeps its discounts.
    shortened: parts
      .filter(({ charge, price }) => charge.discounts.length > 0 && !isKept(price, credit))
      .map(shortenedLine),
  };
}

const shortenedLine = ({ charge, usedTo }: UsedPart<ChargeablePrice>): ShortenedLine => ({
  intervalFrom: charge.intervalFrom,
  discounts: charge.discounts,
  days: daysBetween(charge.serviceFrom, charge.serviceTo),
  before: daysBetween(charge.serviceFrom, charge.usedTo),
  after: daysBetween(charge.serviceFrom, usedTo),
});

function creditLine(
  itemId: string,
  { charge, price, usedTo: from, usedAmount }: UsedPart<ChargeablePrice>,
  dueOn: Day,
): ChargeDraft {
  const netMinor = usedAmount - charge.usedAmount;
  const period = { from, to: charge.usedTo };
  const interval = { from: charge.intervalFrom, to: charge.intervalTo };
  return {
    kind: 'credit',
    itemId,
    pricePlanId: charge.pricePlanId,
    quantity: charge.quantity,
    dueOn,
    serviceFrom: from,
    serviceTo: charge.usedTo,
    intervalFrom: charge.intervalFrom,
    intervalTo: charge.intervalTo,
    amount: {
      ...onceForm(netMinor, price.currencyCode),
      netMinor,
      discountMinor: 0n,
      discounts: [],
      slices: [],
      minimumApplied: false,
    },
    creditedChargeId: charge.id,
    explanation: {
      period,
      interval,
      days: { used: daysBetween(from, charge.usedTo), of: daysBetween(interval.from, interval.to) },
      priceType: price.type,
      quantity: charge.quantity,
      freeUnits: price.freeUnits,
      slices: [],
      discounts: [],
      minimumPrice: false,
      credit: { billed: Number(charge.usedAmount), used: Number(usedAmount) },
    },
  };
}
