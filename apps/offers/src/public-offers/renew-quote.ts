import { DomainError } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type InvoiceDetails, offerChanged } from '../domain/offers/accept.js';
import { agreedHash, agreedQuote, chosenItems, costsOf } from '../domain/offers/offer.js';
import { AskPrices } from '../offers/ask-prices.js';
import { saveOffer } from '../offers/save-offer.js';
import { addAudit, type Visitor } from '../recipients/audit.row.js';
import { choiceOf } from './choice-of.js';
import { OpenOffer, type OpenedOffer } from './open-offer.js';

/**
 * The prices of a published offer are held, but what comes of them is of its day: a period goes by of which less and less
 * is billed, and another tax is due by a customer who moved or has a VAT id by now. Whoever agrees first agrees to what it
 * costs today; so does whoever says where the invoices go, which makes the tax another one.
 */
@Injectable()
export class RenewQuote {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly prices: AskPrices,
  ) {}

  /**
   * Before the first acceptance or signature, and before the invoice details that are missing are accepted. Returns the hash
   * of what was compared, for who accepts nothing else; null: there was nothing to compare.
   * @throws DomainError `not_found`, and 409 `offer_changed` when it costs something else by now, which it says from then on
   */
  async execute(token: string, visitor: Visitor, details: InvoiceDetails | null = null): Promise<string | null> {
    const opened = await this.openOffer.execute(token);
    const before = agreedQuote(opened.offer);
    if (before === null || !isToBeAgreed(opened, details)) return null;
    const hash = agreedHash(opened.offer);
    const items = chosenItems(opened.offer);
    // What cannot be asked now is accepted as it stands; what billing refuses, it refuses when the sale is made.
    const quote = await this.prices.held(opened.offer, items, details).catch(unlessRefused);
    if (quote === null || isDeepStrictEqual(costsOf(quote), costsOf(before))) return hash;
    await this.openOffer.change(token, async (tx, found) => {
      if (!isToBeAgreed(found, details) || agreedHash(found.offer) !== hash) return;
      found.offer.choice = choiceOf(found.offer, items, quote);
      await addAudit(tx, {
        offerId: found.offer.id,
        action: 'price_updated',
        email: found.recipient.email,
        versionHash: found.offer.choice.hash,
        ...visitor,
      });
      await saveOffer(tx, found.offer, null);
    });
    throw offerChanged();
  }
}

const isToBeAgreed = ({ offer, recipient, expired }: OpenedOffer, details: InvoiceDetails | null): boolean =>
  !expired && offer.status === (details ? 'awaiting_invoice_details' : 'open') && recipient.role === 'sign';

const unlessRefused = (error: unknown): null => {
  if (error instanceof DomainError) return null;
  throw error;
};
