import type { AcceptSaleRequest, AcceptSaleResponse, OfferTerms, SaleQuote } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { BillImmediately } from '../charging/bill-immediately.js';
import * as tables from '../db/tables.js';
import type { Measured } from '../domain/metering/metered.js';
import type { PreviewAttempt } from '../preview/measured-preview.js';
import { withoutEffect } from '../preview/rate-preview.js';
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
  ) {}

  /** @throws DomainError what making or changing a subscription refuses */
  execute(tx: TenantTx, id: string, { terms, activate }: Pick<AcceptSaleRequest, 'terms' | 'activate'>) {
    switch (terms.dealType) {
      case 'new_business':
        return this.begin(tx, id, terms, activate);
      case 'one_off':
        return terms.items.length === 0 ? NOTHING : this.invoice(tx, id, terms);
      case 'expansion':
      case 'renewal':
        return isChange(terms) ? this.change(tx, id, terms) : NOTHING;
    }
  }

  /** @throws DomainError as {@link execute} */
  quote(tx: TenantTx, terms: OfferTerms, measured: Measured, sold: Sold): Promise<PreviewAttempt<SaleQuote>> {
    return withoutEffect(tx, async () => {
      if (isChange(terms)) {
        const changed = await this.changes.execute(tx, terms, sold);
        return changed.itemIds.length === 0
          ? this.quotes.execute(tx, changed.subscriptionId, measured)
          : this.quotes.ofChange(tx, changed, measured);
      }
      const isSoldOnce = terms.dealType === 'one_off' && terms.items.length > 0;
      const subscriptionId = isSoldOnce
        ? await this.once.execute(tx, terms, sold)
        : (terms.subscriptionId ?? (await this.offered.make(tx, terms, sold)));
      return this.quotes.execute(tx, subscriptionId, measured);
    });
  }

  /** One that somebody activated by hand meanwhile has begun already. */
  private async begin(tx: TenantTx, id: string, terms: OfferTerms, activate: boolean): Promise<Effect> {
    const subscriptionId = await this.offered.prepare(tx, id, terms, 'promised');
    if (subscriptionId === null) return NOTHING;
    const subscription = await tables.subscriptions.get(tx, subscriptionId);
    if (!subscription) throw unknownReference('subscription');
    if (activate && subscription.status !== 'active') await this.lifecycle.activate(tx, subscriptionId, {});
    if (!activate && subscription.status === 'offer') await this.offered.becomeDraft(tx, subscriptionId);
    return { subscriptionId, invoiceId: null };
  }

  private async change(tx: TenantTx, id: string, terms: OfferTerms): Promise<Effect> {
    const { subscriptionId, itemIds } = await this.changes.execute(tx, terms, 'promised');
    const billed =
      itemIds.length === 0
        ? null
        : await this.billImmediately.execute(tx, { subscriptionId, itemIds, operationId: id });
    return { subscriptionId, invoiceId: billed?.id ?? null };
  }

  private async invoice(tx: TenantTx, id: string, terms: OfferTerms): Promise<Effect> {
    const subscriptionId = await this.once.execute(tx, terms, 'promised');
    const billed = await this.billImmediately.execute(tx, { subscriptionId, itemIds: null, operationId: id });
    return { subscriptionId, invoiceId: billed?.id ?? null };
  }
}

/** Whether it changes a subscription: a renewal does also without items. */
const isChange = ({ dealType, subscriptionId, items }: OfferTerms): boolean =>
  (dealType === 'expansion' && items.length > 0) ||
  (dealType === 'renewal' && (items.length > 0 || subscriptionId !== null));
