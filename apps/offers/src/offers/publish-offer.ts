import { Injectable } from '@nestjs/common';
import { DomainError, invalidTransition, notFound } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { SendLinks } from '../recipients/send-links.js';
import { assertApproved } from '../domain/offers/approval.js';
import { ApproveOffer } from './approve-offer.js';
import { AskPrices, versionsOf } from './ask-prices.js';
import { type OfferRow, offers } from './offer.row.js';
import { assertOpen, assertUnchanged, assertValidity, publish } from '../domain/offers/offer.js';
import { saleOf, saveOffer, setAlarms } from './save-offer.js';
import { ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Publishes an offer as it stands, at the price of today; from now on it can expire. Published without changes since, it stays as it is. */
@Injectable()
export class PublishOffer {
  constructor(
    private readonly database: Database,
    private readonly readOffers: ReadOffers,
    private readonly prices: AskPrices,
    private readonly sendLinks: SendLinks,
    private readonly approvals: ApproveOffer,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition`, `validation_failed` when its validity is over, `approval_required`; what billing refuses */
  async execute(tenantId: string, id: string): Promise<OfferJson> {
    const priced = await this.price(tenantId, id);
    const shown = await this.database.tenant(tenantId, async (tx) => {
      const offer = await offers.get(tx, id, { lock: 'update' });
      if (!offer || offer.status === 'archived') return this.release(tx, id, offer);
      assertApproved(offer, await this.approvals.required(tx, offer), versionsOf(priced.prices));
      const published = publish(offer, priced, tx.now);
      assertUnchanged(offer, priced.versionHash);
      if (offer.publishedVersionHash !== published.publishedVersionHash) {
        Object.assign(offer, published, { madeSubscriptionId: priced.subscriptionId });
        await saveOffer(tx, offer, 'offer.published');
        await setAlarms(tx, offer);
        await this.sendLinks.execute(tx, offer);
      }
      return this.readOffers.shown(tx, offer);
    });
    if (shown instanceof DomainError) throw shown;
    return shown;
  }

  /** Archived or deleted while billing was asked: nobody will ask it to release what it has held since. */
  private async release(tx: TenantTx, id: string, archived: OfferRow | null): Promise<DomainError> {
    await scheduleDue(tx, saleOf({ id }, tx.now));
    return archived ? invalidTransition('offer', 'archived', 'publish') : notFound('The offer');
  }

  /** What it costs today, asked and held before the offer is locked; nothing is held for one that is refused as it stands. */
  private async price(tenantId: string, id: string) {
    const { offer, required } = await this.database.tenant(tenantId, (tx) => this.publishable(tx, id), {
      readOnly: true,
    });
    if (required.length > 0) {
      const { prices } = await this.prices.preview(offer);
      assertApproved(offer, required, versionsOf(prices));
    }
    return { versionHash: offer.currentVersionHash, ...(await this.prices.hold(offer)) };
  }

  private async publishable(tx: TenantTx, id: string): Promise<{ offer: OfferRow; required: readonly string[] }> {
    const offer = await offers.get(tx, id);
    if (!offer) throw notFound('The offer');
    assertOpen(offer, 'publish');
    assertValidity(offer.validUntil, tx.now);
    const required = await this.approvals.required(tx, offer);
    assertApproved(offer, required, null);
    return { offer, required };
  }
}
