import type { SaleQuote } from '@kontor/contracts';
import { DomainError, invalidTransition } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { assertVersion, cannotSign } from '../domain/offers/accept.js';
import { agreementOf, choose, type ItemChoice, type OfferItem } from '../domain/offers/items.js';
import { chosenItems } from '../domain/offers/offer.js';
import type { OfferRow } from '../offers/offer.row.js';
import { termsOf } from '../offers/offer-terms.js';
import { saveOffer } from '../offers/save-offer.js';
import { addAudit, type Visitor } from '../recipients/audit.row.js';
import { unavailable } from '../domain/unavailable.js';
import { expired, OpenOffer, type OpenedOffer } from './open-offer.js';

/** The buyer ticks options and changes quantities, until the first signature. What that costs is asked of billing, at the published prices. */
@Injectable()
export class ChooseOptions {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly internal: InternalClient,
  ) {}

  /** @throws DomainError `offer_changed`, `offer_expired`, `invalid_status_transition`, `recipient_cannot_sign`, what {@link choose} refuses */
  async execute(
    token: string,
    choices: readonly ItemChoice[],
    { versionHash, visitor }: { versionHash: string | null; visitor: Visitor },
  ): Promise<OpenedOffer> {
    const opened = await this.openOffer.execute(token);
    if (opened.expired) throw expired();
    assertChoosable(opened);
    assertVersion(opened.offer, versionHash);
    const { publishedVersionHash, published } = opened.offer;
    const before = chosenItems(opened.offer);
    const { plan } = agreementOf(published!.content.sections);
    const items = choose(before, choices, { mayBeNothing: plan !== null });
    if (hashOf(opened.offer, items) === hashOf(opened.offer, before)) return opened;
    const quote = await this.quote(opened.offer, items);
    return this.openOffer.change(token, async (tx, found) => {
      assertChoosable(found);
      assertVersion(found.offer, opened.offer.choice?.hash ?? publishedVersionHash);
      const hash = hashOf(found.offer, items);
      found.offer.choice = { items, quote, hash };
      await addAudit(tx, {
        offerId: found.offer.id,
        action: 'options_chosen',
        email: found.recipient.email,
        versionHash: hash,
        details: { items: items.map(({ id, selected, quantity }) => ({ item: id, selected, quantity })) },
        ...visitor,
      });
      await saveOffer(tx, found.offer, null);
    });
  }

  private async quote({ tenantId, published, customerId }: OfferRow, items: readonly OfferItem[]): Promise<SaleQuote> {
    try {
      const options = { tenantId, timeoutMs: 10_000 };
      const terms = termsOf({ ...published!.content, customerId }, items);
      return await this.internal.call<SaleQuote>('billing', 'POST', '/internal/sales/offers/quotes', terms, options);
    } catch (error) {
      if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown) throw unavailable();
      throw error;
    }
  }
}

/** @throws DomainError `recipient_cannot_sign`, `invalid_status_transition` once somebody has signed */
function assertChoosable({ offer, recipient }: OpenedOffer): void {
  if (recipient.role !== 'sign') throw cannotSign();
  if (offer.status !== 'open') throw invalidTransition('offer', offer.status, 'choose');
  if (chosenItems(offer).length === 0)
    throw new DomainError('nothing_to_choose', { detail: 'The offer has no items to choose from.' });
}

/** Names what is agreed to: the published version with these options. */
const hashOf = ({ publishedVersionHash }: OfferRow, items: readonly OfferItem[]): string =>
  createHash('sha256')
    .update(JSON.stringify([publishedVersionHash, items.map(({ id, selected, quantity }) => [id, selected, quantity])]))
    .digest('hex');
