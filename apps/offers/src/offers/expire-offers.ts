import { Injectable } from '@nestjs/common';
import { Database, type DueBatch, DueHandler, eachDueItem, type TenantTx } from '@kontor/persistence';
import { offers } from './offer.row.js';
import { hasExpired, nextExpiry } from '../domain/offers/offer.js';
import { announceExpiry, OFFER_EXPIRY } from './save-offer.js';

/** Announces that the validity of published, still open offers is over: once for each end of validity. */
@Injectable()
@DueHandler({ kind: OFFER_EXPIRY, batchSize: 50 })
export class ExpireOffers {
  constructor(private readonly database: Database) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, OFFER_EXPIRY, (tx, item) => this.expire(tx, item.ref));
  }

  /**
   * The offer's lock orders this after any change of it; what is due then is decided by the offer, not by the alarm.
   */
  private async expire(tx: TenantTx, id: string): Promise<Date | null> {
    const offer = await offers.get(tx, id, { lock: 'update' });
    if (!offer) return null;
    if (hasExpired(offer, tx.now)) {
      await announceExpiry(tx, offer);
    }
    return nextExpiry(offer);
  }
}
