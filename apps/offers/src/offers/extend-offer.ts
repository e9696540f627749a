import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { extend } from '../domain/offers/offer.js';
import { saveOffer, setAlarms } from './save-offer.js';
import { lockOffer, ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Prolongs the validity of an open offer, also of one that has expired: its next expiry is a new event. */
@Injectable()
export class ExtendOffer {
  constructor(
    private readonly database: Database,
    private readonly readOffers: ReadOffers,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition`, `validation_failed` */
  async execute(tenantId: string, id: string, validUntil: Date): Promise<OfferJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      Object.assign(offer, extend(offer, validUntil, tx.now));
      await saveOffer(tx, offer, null);
      await setAlarms(tx, offer);
      return this.readOffers.shown(tx, offer);
    });
  }
}
