import type { AcceptSaleRequest, AcceptSaleResponse, OfferTerms, SaleQuote } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { BillImmediately } from '../charging/bill-immediately.js';
import { noNumber } from '../db/number-series.js';
import * as tables from '../db/tables.js';
import type { Known, PreviewAttempt } from '../preview/measured-preview.js';
import { withoutEffect } from '../db/without-effect.js';
import { ChangeAgreement } from '../subscriptions/change-agreement.js';
import { SubscriptionLifecycle } from '../subscriptions/lifecycle.js';
import type { Sold } from '../subscriptions/references.js';
import { ChangeByOffer } from './change-by-offer.js';
import { OfferedSubscription } from './offered-subscription.js';
import { QuoteAgreement } from './quote-agreement.js';
import { SellOnce } from './sell-once.js';

type Effect = Omit<AcceptSaleResponse, 'customerId'>;
const NOTHING: Effect = { subscriptionId: null, invoiceId: null };

/** What an offer leads to, by its deal type; quoted by doing it and rolling it back. The account is locked by the caller. */
@Injectable()
export class OfferEffect {
  constructor(
    private readonly offered: OfferedSubscription,
    private readonly changes: ChangeByOffer,
    private readonly once: SellOnce,
    private readonly quotes: QuoteAgreement,
    private readonly lifecycle: SubscriptionLifecycle,
    private readonly billImmediately: BillImmediately,
    private readonly agreements: ChangeAgreement,
  ) {}

  /** @throws DomainError what making or changing a subscription refuses */
  execute(tx: TenantTx, id: string, request: AcceptSaleRequest): Effect | Promise<Effect> {
    const { terms } = request;
    switch (terms.dealType) {
      case 'new_business':
        return this.begin(tx, id, request);
      case 'one_off':
        return terms.items.length === 0 ? NOTHING : this.invoice(tx, id, request);
      case 'expansion':
      case 'renewal':
        return isChange(terms) ? this.change(tx, id, request) : NOTHING;
    }
  }

  /** @throws DomainError as {@link execute} */
  quote(tx: TenantTx, terms: OfferTerms, known: Known, sold: Sold): Promise<PreviewAttempt<SaleQuote>> {
    return withoutEffect(tx, async () => {
      if (isChange(terms)) {
        const changed = await this.changes.execute(tx, terms, sold);
        return changed.itemIds.length === 0
          ? this.quotes.execute(tx, changed.subscriptionId, known)
          : this.quotes.ofChange(tx, changed, known);
      }
      const isSoldOnce = terms.dealType === 'one_off' && terms.items.length > 0;
      if (!isSoldOnce && terms.subscriptionId !== null) return this.quotes.execute(tx, terms.subscriptionId, known);
      const how = { sold, number: noNumber() };
      const made = isSoldOnce ? await this.once.execute(tx, terms, how) : await this.offered.make(tx, terms, how);
      // Of what is measured nothing was used: it begins now, and is another one whenever it is quoted.
      return { ...(await this.quotes.execute(tx, made, known)), requests: [] };
    });
  }

  /** One that somebody activated by hand meanwhile has begun already. */
  private async begin(tx: TenantTx, id: string, { terms, activate, ...request }: AcceptSaleRequest): Promise<Effect> {
    const subscriptionId = await this.offered.prepare(tx, id, terms, 'promised');
    if (subscriptionId === null) return NOTHING;
    const subscription = await tables.subscriptions.get(tx, subscriptionId);
    if (!subscription) throw unknownReference('subscription');
    if (activate && subscription.status !== 'active') await this.lifecycle.activate(tx, subscriptionId, {});
    if (!activate && subscription.status === 'offer') await this.offered.becomeDraft(tx, subscriptionId);
    await this.order(tx, subscriptionId, request);
    return { subscriptionId, invoiceId: null };
  }

  private async change(tx: TenantTx, id: string, { terms, ...request }: AcceptSaleRequest): Promise<Effect> {
    const { subscriptionId, itemIds } = await this.changes.execute(tx, terms, 'promised');
    await this.order(tx, subscriptionId, request);
    const billed =
      itemIds.length === 0
        ? null
        : await this.billImmediately.execute(tx, { subscriptionId, itemIds, operationId: id });
    return { subscriptionId, invoiceId: billed?.id ?? null };
  }

  private async invoice(tx: TenantTx, id: string, { terms, ...request }: AcceptSaleRequest): Promise<Effect> {
    const subscriptionId = await this.once.execute(tx, terms, { sold: 'promised' });
    await this.order(tx, subscriptionId, request);
    const billed = await this.billImmediately.execute(tx, { subscriptionId, itemIds: null, operationId: id });
    return { subscriptionId, invoiceId: billed?.id ?? null };
  }

  /** The number under which the buyer has ordered, before anything is billed: invoices name it. */
  private async order(
    tx: TenantTx,
    subscriptionId: string,
    { invoiceDetails }: Pick<AcceptSaleRequest, 'invoiceDetails'>,
  ): Promise<void> {
    const poNumber = invoiceDetails?.poNumber ?? null;
    if (poNumber === null) return;
    await this.agreements.execute(tx, subscriptionId, ({ agreement: { subscription, items } }) => ({
      agreement: { subscription: { ...subscription, poNumber }, items },
      notices: [{ type: 'subscription.updated' }],
    }));
  }
}

/** Whether it changes a subscription: a renewal does also without items. */
const isChange = ({ dealType, subscriptionId, items }: OfferTerms): boolean =>
  (dealType === 'expansion' && items.length > 0) ||
  (dealType === 'renewal' && (items.length > 0 || subscriptionId !== null));
