import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { publish } from '../domain/offers/offer.js';
import { saveOffer, setExpiryAlarm } from './save-offer.js';
import { lockOffer, ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Publishes an offer as it stands; from now on it can expire. Published without changes since, it stays as it is. */
@Injectable()
export class PublishOffer {
  constructor(
    private readonly database: Database,
    private readonly readOffers: ReadOffers,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition`, `validation_failed` when its validity is over */
  async execute(tenantId: string, id: string): Promise<OfferJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      const published = publish(offer, tx.now);
      if (offer.publishedVersionHash !== published.publishedVersionHash) {
        Object.assign(offer, published);
        await saveOffer(tx, offer, 'offer.published');
        await setExpiryAlarm(tx, offer);
      }
      return this.readOffers.shown(tx, offer);
    });
  }
}
