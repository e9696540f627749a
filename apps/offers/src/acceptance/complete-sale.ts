import type { AcceptSaleRequest, AcceptSaleResponse } from '@kontor/contracts';
import { DomainError, ulidToUuid } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { InternalClient, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type OfferRow, offers } from '../offers/offer.row.js';
import { saveOffer } from '../offers/save-offer.js';

/** Due work: what an accepted offer leads to, by offer id. */
export const OFFER_SALE = 'offers.sale';

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
    const failure = offer?.saleState === 'pending' ? await this.ask(tenantId, offer) : null;
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const current = await offers.get(tx, item.ref, { lock: 'update' });
        if (current?.saleState === 'pending') {
          Object.assign(current, { saleState: failure === null ? 'done' : 'failed', saleFailure: failure });
          await saveOffer(tx, current, null);
        }
        await completeDue(tx, OFFER_SALE, item);
      },
      { now },
    );
  }

  /** Why it was refused; null when it is done. @throws what is to be tried again */
  private async ask(tenantId: string, offer: OfferRow): Promise<string | null> {
    const request: AcceptSaleRequest = {
      customerId: offer.customerId,
      subscriptionId: offer.dealType === 'new_business' ? offer.subscriptionId : null,
      activate: offer.autoActivateSubscription,
      invoiceDetails: offer.capturedInvoiceDetails,
    };
    const path = `/internal/sales/${ulidToUuid(offer.id)}/acceptance`;
    try {
      await this.internal.call<AcceptSaleResponse>('billing', 'POST', path, request, { tenantId, timeoutMs: 10_000 });
      return null;
    } catch (error) {
      if (!(error instanceof DomainError) || error instanceof ServiceUnavailable || RETRIED.has(error.kind))
        throw error;
      return error.reason;
    }
  }
}

/** Refusals that say nothing about the sale. */
const RETRIED: ReadonlySet<string> = new Set([
  'unavailable',
  'storage_full',
  'too_many',
  'conflict',
  'unauthenticated',
]);
