import { DomainError, invalidTransition } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { assertVersion, cannotSign } from '../domain/offers/accept.js';
import { agreementOf, choose, type ItemChoice } from '../domain/offers/items.js';
import { chosenItems, chosenOf } from '../domain/offers/offer.js';
import { AskPrices } from '../offers/ask-prices.js';
import { saveOffer } from '../offers/save-offer.js';
import { addAudit, type Visitor } from '../recipients/audit.row.js';
import { choiceOf } from './choice-of.js';
import { expired, OpenOffer, type OpenedOffer } from './open-offer.js';

/** The buyer ticks options and changes quantities, until the first signature. What that costs is asked of billing, at the published prices. */
@Injectable()
export class ChooseOptions {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly prices: AskPrices,
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
    if (isDeepStrictEqual(chosenOf(items), chosenOf(before))) return opened;
    const quote = await this.prices.held(opened.offer, items);
    return this.openOffer.change(token, async (tx, found) => {
      assertChoosable(found);
      assertVersion(found.offer, opened.offer.choice?.hash ?? publishedVersionHash);
      found.offer.choice = choiceOf(found.offer, items, quote);
      await addAudit(tx, {
        offerId: found.offer.id,
        action: 'options_chosen',
        email: found.recipient.email,
        versionHash: found.offer.choice.hash,
        details: { items: items.map(({ id, selected, quantity }) => ({ item: id, selected, quantity })) },
        ...visitor,
      });
      await saveOffer(tx, found.offer, null);
    });
  }
}

/** @throws DomainError `recipient_cannot_sign`, `invalid_status_transition` once somebody has signed */
function assertChoosable({ offer, recipient }: OpenedOffer): void {
  if (recipient.role !== 'sign') throw cannotSign();
  if (offer.status !== 'open') throw invalidTransition('offer', offer.status, 'choose');
  if (chosenItems(offer).length === 0)
    throw new DomainError('nothing_to_choose', { detail: 'The offer has no items to choose from.' });
}
