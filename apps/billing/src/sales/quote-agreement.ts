import type { SaleQuote } from '@kontor/contracts';
import { addInterval, type Day, dayOf, parseInterval } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { Measured } from '../domain/metering/metered.js';
import type { PreviewAttempt } from '../preview/measured-preview.js';
import { RatePreview } from '../preview/rate-preview.js';
import type { PreviewJson } from '../preview/preview.schema.js';
import { PreviewAgreement } from '../subscriptions/preview-agreement.js';
import { itemsOf, lockAgreement } from '../subscriptions/agreement.js';
import { PreviewInvoice } from '../subscriptions/preview-invoice.js';
import type { ChangedByOffer } from './change-by-offer.js';

type Rated = Parameters<RatePreview['invoice']>;

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
  async execute(tx: TenantTx, subscriptionId: string, measured: Measured): Promise<PreviewAttempt<SaleQuote>> {
    const first = await this.nextInvoice.attempt(tx, subscriptionId, measured);
    const recurring = await this.nextInvoice.started(tx, subscriptionId, () => this.recurring(tx, subscriptionId));
    return { shown: { ...firstOf(first.shown), recurring }, requests: first.requests };
  }

  /** What a change bills on its day, of the items that it is about; the change is made already. */
  async ofChange(
    tx: TenantTx,
    { subscriptionId, itemIds, from, zone }: ChangedByOffer,
    measured: Measured,
  ): Promise<PreviewAttempt<SaleQuote>> {
    const { agreement } = await lockAgreement(tx, this.replicas, subscriptionId);
    const { invoice, requests } = await this.changes.execute(tx, { after: agreement, itemIds, from, zone, measured });
    const recurring = await this.recurring(tx, subscriptionId, { itemIds, from });
    return { shown: { ...firstOf(invoice), recurring }, requests };
  }

  /** The second time that each item is billed: without what is proportional, a trial, or a coupon for once. */
  private async recurring(
    tx: TenantTx,
    subscriptionId: string,
    change: Pick<ChangedByOffer, 'itemIds' | 'from'> | null = null,
  ): Promise<SaleQuote['recurring']> {
    const subscription = await tables.subscriptions.findOneOrFail(tx, { id: subscriptionId });
    const { rating, account } = await this.previews.load(tx, subscription);
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
      const context: Rated = [tx, account, rating, charges];
      const { netAmount, grossAmount } = await this.previews.invoice(...context);
      if (netAmount && grossAmount) found.push({ interval, net: netAmount, gross: grossAmount });
    }
    return found;
  }
}

const firstOf = (invoice: PreviewJson): Omit<SaleQuote, 'recurring'> => ({
  currencyCode: invoice.currencyCode,
  billingDate: invoice.billingDate,
  lines: invoice.positions.map(({ name, description, quantity, netAmount, discountAmount }) => ({
    name,
    description,
    quantity,
    netAmount,
    discountAmount,
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
