import { Injectable } from '@nestjs/common';
import { completeDueMany, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { offers } from './offer.row.js';
import { hasExpired, nextExpiry } from '../domain/offers/offer.js';
import { announceExpiry, OFFER_EXPIRY } from './save-offer.js';

/**
 * Announces that the validity of published, still open offers is over: once for each end of validity, a batch by as many statements
 * as one. The offers' locks order this after any change of them; what is due then is decided by the offers, not by their alarms.
 */
@Injectable()
@DueHandler({ kind: OFFER_EXPIRY, batchSize: 500 })
export class ExpireOffers {
  constructor(private readonly database: Database) {}

  handle({ tenantId, now, items }: DueBatch): Promise<void> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const ids = items.map(({ ref }) => ref);
        const locked = await offers.find(tx, { id: ids }, { orderBy: { id: 'asc' }, lock: 'update' });
        await announceExpiry(
          tx,
          locked.filter((offer) => hasExpired(offer, tx.now)),
        );
        const byId = new Map(locked.map((offer) => [offer.id, offer]));
        await completeDueMany(
          tx,
          OFFER_EXPIRY,
          items.map((item) => {
            const offer = byId.get(item.ref);
            return { item, nextDueAt: offer ? nextExpiry(offer) : null };
          }),
        );
      },
      { now },
    );
  }
}
