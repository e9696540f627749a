import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { assertOpen, assertValidity } from '../domain/offers/offer.js';
import { CheckSold } from './check-sold.js';
import { saveOffer, setAlarms } from './save-offer.js';
import { hashOf, ReadOfferContent } from './offer-content.js';
import type { OfferDto } from './offer.dto.js';
import { lockOffer, ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Replaces the content of an open offer. Recipients of a published offer see it when it is published again. */
@Injectable()
export class UpdateOffer {
  constructor(
    private readonly database: Database,
    private readonly readContent: ReadOfferContent,
    private readonly checkSold: CheckSold,
    private readonly readOffers: ReadOffers,
  ) {}

  /**
   * @throws DomainError `not_found`, `invalid_status_transition`, `unknown_reference`, `customer_archived`,
   * `validation_failed`
   */
  async execute(tenantId: string, id: string, body: OfferDto): Promise<OfferJson> {
    await this.checkSold.execute(tenantId, body);
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      assertOpen(offer, 'update');
      const validUntil = body.validUntil ? new Date(body.validUntil) : null;
      if (validUntil?.getTime() !== offer.validUntil?.getTime()) assertValidity(validUntil, tx.now);
      const content = await this.readContent.execute(tx, body);
      const aside = await this.readContent.aside(tx, body, offer.approvers);
      Object.assign(offer, content, aside, { validUntil, currentVersionHash: hashOf(content) });
      await saveOffer(tx, offer, null);
      await setAlarms(tx, offer);
      return this.readOffers.shown(tx, offer);
    });
  }
}
