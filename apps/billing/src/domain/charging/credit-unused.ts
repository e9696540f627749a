import { type Day, daysBetween } from '@kontor/kernel';
import { discountsOfLine, type ExplainedDiscount } from '../rating/discount.js';
import type { PriceTerms } from '../rating/price-terms.js';
import { payable, rateLine } from '../rating/rate-line.js';

/** An earlier line, as far as it may have to be credited. */
export interface BilledCharge {
  readonly id: string;
  readonly pricePlanId: string;
  readonly quantity: string;
  readonly serviceFrom: Day;
  readonly serviceTo: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  /** End of the time that is still paid for: the service period's, or where a credit began. */
  readonly usedTo: Day;
  /** Minor units still paid for it, after discounts and credits. */
  readonly usedAmount: bigint;
  /** That it was rated with. */
  readonly discounts: readonly ExplainedDiscount[];
  /** Who got its invoice; null: the item's own customer. */
  readonly recipientId?: string | null;
}

/** What decides whether unused time is credited. */
export interface CreditablePrice extends PriceTerms {
  readonly proRata: boolean;
  readonly oneTime: boolean;
  readonly meter?: object | null;
}

/** What remains of an earlier line: the time that was used, and its price in minor units. */
export interface UsedPart<P> {
  readonly charge: BilledCharge;
  readonly price: P;
  readonly usedTo: Day;
  readonly usedAmount: bigint;
}

/** Whether a change or an end takes nothing back of what was billed at a price: as was agreed, or as the price is one without proRata. */
export const isKept = ({ proRata }: CreditablePrice, credit: 'pro_rata' | 'full' | 'none' | undefined): boolean =>
  credit === 'none' || (credit === 'pro_rata' && !proRata);

const latest = (a: Day, b: Day): Day => (a > b ? a : b);

/**
 * The used parts of what was billed in advance beyond a day; the rest is credited: billed − rounded used part, so that
 * both sum to what was billed. Prices without proRata, of one time or with a meter are not credited. A change may say
 * otherwise: that all of it goes back, or nothing; then its lines end on that day, so that nothing of them is credited
 * again.
 */
export const creditUnused = <P extends CreditablePrice>(
  billed: readonly BilledCharge[],
  from: Day,
  priceOf: (pricePlanId: string) => P,
  credit?: 'pro_rata' | 'full' | 'none',
): UsedPart<P>[] =>
  billed.flatMap((charge) => {
    const price = priceOf(charge.pricePlanId);
    if (charge.usedTo <= from || price.oneTime || price.meter) return [];
    if (credit === 'full') return [{ charge, price, usedTo: charge.serviceFrom, usedAmount: 0n }];
    const usedTo = latest(from, charge.serviceFrom);
    if (isKept(price, credit)) return [{ charge, price, usedTo, usedAmount: charge.usedAmount }];
    return price.proRata ? [{ charge, price, usedTo, usedAmount: usedAmountOf(charge, usedTo, price) }] : [];
  });

/** The price of the used days with their part of each discount, rounded, and never more than what was billed. */
function usedAmountOf(charge: BilledCharge, usedTo: Day, price: PriceTerms): bigint {
  const days = daysBetween(charge.serviceFrom, usedTo);
  if (days === 0) return 0n;
  const share = { days, of: daysBetween(charge.intervalFrom, charge.intervalTo) };
  const line = { days, of: daysBetween(charge.serviceFrom, charge.serviceTo) };
  const used = payable(rateLine(price, charge.quantity, share, discountsOfLine(charge.discounts, line)));
  return used < charge.usedAmount ? used : charge.usedAmount;
}
