import type { SaleQuote } from '@kontor/contracts';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { describePrice } from '../domain/charging/describe-price.js';
import { intervalsLeft, useOf } from '../domain/discounts/applied-discount.js';
import type { RatedAgreement } from '../subscriptions/preview-invoice.js';

type SoldItem = Pick<SubscriptionItemRow, 'name' | 'quantity' | 'pricePlanId' | 'discounts' | 'discountUses'>;

interface Sold extends Pick<SaleQuote, 'recurring' | 'term'> {
  readonly items: readonly SoldItem[];
  readonly isDueNow: boolean;
}

/** What is agreed beside the first total: {@link SaleQuote.terms}. To be compared, not read. */
export function termsOf({ rating }: RatedAgreement, { items, recurring, term, isDueNow }: Sold): string[] {
  const ofItems = items.map((item) => {
    const price = rating.prices.priceOf(item.pricePlanId);
    const name = item.name ?? rating.prices.productOf(item.pricePlanId).name;
    const use = price.meter ? [`${price.billingInterval} ${describePrice(price, null, 'en')}`] : [];
    return [`${item.quantity} x ${name}`, ...use, ...endingOf(item)].join('; ');
  });
  // By the nets: tax follows from where the buyer lives.
  const again = recurring.map(({ interval, net }) => `each ${interval}: ${net.amount} ${net.currencyCode}`);
  const binding = term
    ? [`binds: ${term.contractPeriodCount} x ${term.contractPeriod}, ${term.cancellationPeriod}`]
    : [];
  return [...ofItems, ...again, ...binding, ...(isDueNow ? ['due now'] : [])].sort();
}

/** The discounts of an item that end. */
const endingOf = (item: SoldItem): string[] =>
  (item.discounts ?? []).flatMap((discount, n) => {
    const times = intervalsLeft(discount, useOf(item, n));
    const { percentage, fixedAmount, currencyCode } = discount.terms;
    return times === null || times === 0 ? [] : [`${times} times ${percentage ?? `${fixedAmount} ${currencyCode}`}`];
  });
