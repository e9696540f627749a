import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { OfferRow } from '../db/offer.row.js';
import { hasExpired, nextExpiry } from '../domain/offer.js';
import { OFFER_EXPIRY, saveOffer } from '../published-events.js';

/** Announces that the validity of published, still open offers is over: once for each end of validity. */
@Injectable()
@DueHandler({ kind: OFFER_EXPIRY, batchSize: 50 })
export class ExpireOffers {
  constructor(private readonly database: Database) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.expire(batch.tenantId, batch.now, item);
  }

  /** The offer's lock orders this after any change of it; what is due then is decided by the offer, not by the alarm. */
  private async expire(tenantId: string, now: Date, item: DueItem): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const offer = await tx.manager.findOne(OfferRow, { where: { tenantId, id: item.ref }, lock: { mode: 'pessimistic_write' } });
        if (offer && hasExpired(offer, now)) {
          offer.expiredFor = offer.validUntil;
          await saveOffer(tx, offer, 'offer.expired');
        }
        await completeDue(tx, OFFER_EXPIRY, item, offer ? nextExpiry(offer) : null);
      },
      { now },
    );
  }
}
