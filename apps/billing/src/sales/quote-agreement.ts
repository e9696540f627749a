import type { MeasuredPrice, SaleQuote, SaleTerm } from '@kontor/contracts';
import { addInterval, type Day, dayOf, parseInterval } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import * as tables from '../db/tables.js';
import { textsOf } from '../domain/charging/charge-line.js';
import { describeOffered } from '../domain/charging/describe-line.js';
import { describePrice } from '../domain/charging/describe-price.js';
import type { Explanation } from '../domain/charging/charge.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { Account } from '../domain/charging/rating-context.js';
import { intervalsLeft, useOf, withLastingDiscounts } from '../domain/discounts/applied-discount.js';
import type { Known, PreviewAttempt } from '../preview/measured-preview.js';
import { RatePreview } from '../preview/rate-preview.js';
import type { PreviewJson } from '../preview/preview.schema.js';
import { PreviewAgreement } from '../subscriptions/preview-agreement.js';
import { itemsOf, lockAgreement } from '../subscriptions/agreement.js';
import { PreviewInvoice, type RatedAgreement } from '../subscriptions/preview-invoice.js';
import type { ChangedByOffer } from './change-by-offer.js';
import { termsOf } from './terms-of-sale.js';

type FirstInvoice = Omit<SaleQuote, 'recurring' | 'measured' | 'term' | 'terms'>;

/** What an agreement will bill: its next invoice, and of each interval the invoice that comes again. */
@Injectable()
export class QuoteAgreement {
  constructor(
    private readonly nextInvoice: PreviewInvoice,
    private readonly previews: RatePreview,
    private readonly changes: PreviewAgreement,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `not_found`, and what rating refuses */
  async execute(tx: TenantTx, subscriptionId: string, known: Known): Promise<PreviewAttempt<SaleQuote>> {
    const { shown, requests, rated, items, recurring } = await this.nextInvoice.look(tx, subscriptionId, {
      known,
      more: async (rated) => ({
        rated,
        items: await itemsOf(tx, subscriptionId),
        recurring: await this.recurring(tx, subscriptionId, { rated }),
      }),
    });
    const term = termOf(rated.account, subscriptionId);
    const isDueNow = shown.billingDate !== null && new Date(shown.billingDate) <= tx.now;
    const terms = termsOf(rated, { items, recurring, term, isDueNow });
    const quote = { ...firstOf(shown, rated.account), recurring, measured: measuredOf(rated, items), term, terms };
    return { shown: quote, requests };
  }

  /** What a change bills on its day, of the items that it is about; the change is made already. */
  async ofChange(
    tx: TenantTx,
    { subscriptionId, itemIds, from, zone, isRenewed }: ChangedByOffer,
    known: Known,
  ): Promise<PreviewAttempt<SaleQuote>> {
    const { agreement } = await lockAgreement(tx, this.replicas, subscriptionId);
    const { invoice, requests } = await this.changes.execute(tx, { after: agreement, itemIds, from, zone, known });
    const rated = await this.previews.load(tx, agreement.subscription);
    const recurring = await this.recurring(tx, subscriptionId, { rated, change: { itemIds, from } });
    const changed = (await itemsOf(tx, subscriptionId)).filter(({ id }) => itemIds.includes(id));
    const first = firstOf(invoice, rated.account);
    const term = isRenewed ? { term: termOf(rated.account, subscriptionId) } : {};
    return { shown: { ...first, recurring, measured: measuredOf(rated, changed), ...term }, requests };
  }

  /** The second time that each item is billed: without what is proportional, a trial, or a discount that ends. */
  private async recurring(
    tx: TenantTx,
    subscriptionId: string,
    { rated, change = null }: { rated: RatedAgreement; change?: Pick<ChangedByOffer, 'itemIds' | 'from'> | null },
  ): Promise<SaleQuote['recurring']> {
    const { rating } = rated;
    const account = withoutEndingDiscounts(rated.account);
    const subscription = await tables.subscriptions.findOneOrFail(tx, { id: subscriptionId });
    const again = new Map<string, AccountCharge[]>();
    for (const item of await itemsOf(tx, subscriptionId)) {
      if (change && !change.itemIds.includes(item.id)) continue;
      const { billingInterval } = rating.prices.priceOf(item.pricePlanId);
      const product = rating.prices.productOf(item.pricePlanId);
      if (product.type === 'charge') continue;
      const from: Day = change?.from ?? subscription.anchorOn ?? dayOf(tx.now, account.zone);
      const scope = { subscriptionId, itemIds: [item.id], until: addInterval(from, parseInterval(billingInterval), 2) };
      const second = this.previews
        .rate(account, rating, scope)
        .charges.toSorted((a, b) => (a.charge.dueOn < b.charge.dueOn ? -1 : 1))
        .at(-1);
      if (second) again.set(billingInterval, [...(again.get(billingInterval) ?? []), second]);
    }
    const found: SaleQuote['recurring'] = [];
    for (const [interval, charges] of again) {
      // What comes again takes nothing back.
      const { invoice } = await this.previews.invoice(tx, { account, rating, charges }, new Map());
      const { netAmount, grossAmount } = invoice;
      if (netAmount && grossAmount) found.push({ interval, net: netAmount, gross: grossAmount });
    }
    return found;
  }
}

const withoutEndingDiscounts = (account: Account): Account => ({
  ...account,
  subscriptions: account.subscriptions.map((loaded) => ({ ...loaded, items: loaded.items.map(withLastingDiscounts) })),
});

const firstOf = (invoice: PreviewJson, account: Account): FirstInvoice => ({
  currencyCode: invoice.currencyCode,
  billingDate: invoice.billingDate,
  lines: invoice.positions.map((position) => ({
    name: position.name,
    description: describeOffered(position.description, endingOf(position, account), account.language),
    quantity: position.quantity,
    netAmount: position.netAmount,
    discountAmount: position.discountAmount,
  })),
  totals:
    invoice.netAmount && invoice.taxAmount && invoice.grossAmount
      ? {
          net: invoice.netAmount,
          tax: invoice.taxAmount,
          gross: invoice.grossAmount,
          discount: invoice.discountAmount ?? { amount: 0, currencyCode: invoice.currencyCode },
        }
      : null,
});

/** Of the items whose quantity is measured. */
function measuredOf(
  { rating, account }: RatedAgreement,
  items: readonly Pick<SubscriptionItemRow, 'name' | 'pricePlanId'>[],
): MeasuredPrice[] {
  return items.flatMap(({ name, pricePlanId }) => {
    const price = rating.prices.priceOf(pricePlanId);
    if (!price.meter) return [];
    const product = rating.prices.productOf(pricePlanId);
    const { billingInterval: interval, meter } = price;
    const text = describePrice(price, meter.unit, account.language);
    return [{ name: name ?? textsOf(product, account.language).name, interval, price: text }];
  });
}

function termOf({ subscriptions }: Account, subscriptionId: string): SaleTerm | null {
  const found = subscriptions.find(({ subscription }) => subscription.id === subscriptionId);
  if (!found) return null;
  const { contractPeriodCount, contractPeriod, cancellationPeriod } = found.subscription;
  if (contractPeriod === null && cancellationPeriod === null) return null;
  return { contractPeriodCount: contractPeriodCount ?? 1, contractPeriod, cancellationPeriod };
}

/** The discounts of a line that end, and how often they are taken until then. */
function endingOf({ explanation, subscriptionItem }: PreviewJson['positions'][number], account: Account) {
  const item = account.subscriptions.flatMap(({ items }) => items).find(({ id }) => id === subscriptionItem['id']);
  const taken = (explanation as Pick<Explanation, 'discounts'> | null)?.discounts ?? [];
  return taken.flatMap(({ id, name }) => {
    const n = item?.discounts?.findIndex((discount) => discount.id === id) ?? -1;
    if (!item?.discounts || n < 0) return [];
    const times = intervalsLeft(item.discounts[n]!, useOf(item, n));
    return times === null ? [] : [{ name, times: Math.max(times, 1) }];
  });
}
