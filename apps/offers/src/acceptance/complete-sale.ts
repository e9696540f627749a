import type { AcceptSaleRequest, AcceptSaleResponse } from '@kontor/contracts';
import { DomainError, ulidToUuid } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { InternalClient, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type OfferRow, offers } from '../offers/offer.row.js';
import { termsOf } from '../offers/offer-terms.js';
import { OFFER_SALE, saveOffer } from '../offers/save-offer.js';
import { chosenItems } from '../domain/offers/offer.js';

/**
 * Has billing do what was agreed. Billing does it once per offer, so it is asked again whenever it is not known whether it did: after a
 * crash here, or while it is away. What billing refuses for good is kept with the offer, for people.
 */
@Injectable()
@DueHandler({ kind: OFFER_SALE, batchSize: 20 })
export class CompleteSale {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.complete(batch, item);
  }

  private async complete({ tenantId, now }: DueBatch, item: DueItem): Promise<void> {
    const offer = await this.database.tenant(tenantId, (tx) => offers.get(tx, item.ref), { readOnly: true });
    const outcome = offer?.saleState === 'pending' ? await this.sell(tenantId, offer) : null;
    if (!offer || isOff(offer)) await this.withdraw(tenantId, item.ref);
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const current = await offers.get(tx, item.ref, { lock: 'update' });
        if (outcome && current?.saleState === 'pending') {
          Object.assign(current, outcome);
          await saveOffer(tx, current, null);
        }
        await completeDue(tx, OFFER_SALE, item);
      },
      { now },
    );
  }

  /** What became of it; refused for good: why. @throws what is to be tried again */
  private async sell(tenantId: string, offer: OfferRow): Promise<Partial<OfferRow>> {
    const request: AcceptSaleRequest = {
      terms: termsOf(offer, chosenItems(offer)),
      activate: offer.autoActivateSubscription,
      invoiceDetails: offer.capturedInvoiceDetails,
    };
    const path = `/internal/sales/${ulidToUuid(offer.id)}/acceptance`;
    const options = { tenantId, timeoutMs: 10_000 };
    try {
      const sold = await this.internal.call<AcceptSaleResponse>('billing', 'POST', path, request, options);
      return {
        saleState: 'done',
        saleFailure: null,
        madeSubscriptionId: sold.subscriptionId,
        madeInvoiceId: sold.invoiceId,
      };
    } catch (error) {
      if (!(error instanceof DomainError) || error instanceof ServiceUnavailable || RETRIED.has(error.kind))
        throw error;
      return { saleState: 'failed', saleFailure: error.reason };
    }
  }

  /** The subscription waits no longer, and the prices are free. */
  private async withdraw(tenantId: string, id: string): Promise<void> {
    const path = `/internal/sales/${ulidToUuid(id)}/withdrawal`;
    await this.internal.call('billing', 'POST', path, {}, { tenantId, timeoutMs: 10_000 });
  }
}

/** Nothing is sold any more. Of a failed sale there is work only once its customer is anonymized: trying again makes it `pending`. */
const isOff = ({ status, saleState }: OfferRow): boolean => status === 'archived' || saleState === 'failed';

/** Refusals that say nothing about the sale. */
const RETRIED: ReadonlySet<string> = new Set([
  'unavailable',
  'storage_full',
  'too_many',
  'conflict',
  'unauthenticated',
]);
