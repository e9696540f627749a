import { Injectable } from '@nestjs/common';
import { Database, scheduleDue } from '@kontor/persistence';
import { archive } from '../domain/offers/offer.js';
import { saleOf, saveOffer, setAlarms } from './save-offer.js';
import { lockOffer, ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Puts an offer away that was not accepted; it never expires any more. */
@Injectable()
export class ArchiveOffer {
  constructor(
    private readonly database: Database,
    private readonly readOffers: ReadOffers,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition` */
  async execute(tenantId: string, id: string): Promise<OfferJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      Object.assign(offer, archive(offer));
      await saveOffer(tx, offer, 'offer.archived');
      await setAlarms(tx, offer);
      // Also of one that is not published: billing may hold what a publication asked for that came to nothing.
      await scheduleDue(tx, saleOf(offer, tx.now));
      return this.readOffers.shown(tx, offer);
    });
  }
}
