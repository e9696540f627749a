import type { SaleQuote } from '@kontor/contracts';
import { addInterval, type Day, dayOf, parseInterval } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { Measured } from '../domain/metering/metered.js';
import type { PreviewAttempt } from '../preview/measured-preview.js';
import { RatePreview } from '../preview/rate-preview.js';
import type { InvoicePreviewJson } from '../preview/preview.schema.js';
import { PreviewInvoice } from '../subscriptions/preview-invoice.js';

type Rated = Parameters<RatePreview['invoice']>;

/** What an agreement will bill: its next invoice, and of each interval the invoice that comes again. */
@Injectable()
export class QuoteAgreement {
  constructor(
    private readonly nextInvoice: PreviewInvoice,
    private readonly previews: RatePreview,
  ) {}

  /** @throws DomainError `not_found`, and what rating refuses */
  async execute(tx: TenantTx, subscriptionId: string, measured: Measured): Promise<PreviewAttempt<SaleQuote>> {
    const first = await this.nextInvoice.attempt(tx, subscriptionId, measured);
    const recurring = await this.nextInvoice.started(tx, subscriptionId, () => this.recurring(tx, subscriptionId));
    return { shown: { ...firstOf(first.shown), recurring }, requests: first.requests };
  }

  /** The second time that each item is billed: without what is proportional, a trial, or a coupon for once. */
  private async recurring(tx: TenantTx, subscriptionId: string): Promise<SaleQuote['recurring']> {
    const subscription = await tables.subscriptions.findOneOrFail(tx, { id: subscriptionId });
    const { rating, account } = await this.previews.load(tx, subscription);
    const again = new Map<string, AccountCharge[]>();
    const items = await tables.subscriptionItems.find(tx, { subscriptionId });
    for (const item of items) {
      const { billingInterval } = rating.prices.priceOf(item.pricePlanId);
      const product = rating.prices.productOf(item.pricePlanId);
      if (product.type === 'charge') continue;
      const from: Day = subscription.anchorOn ?? dayOf(tx.now, account.zone);
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

const firstOf = (invoice: InvoicePreviewJson): Omit<SaleQuote, 'recurring'> => ({
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
