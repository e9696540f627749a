import { createHash } from 'node:crypto';
import { chosenOf, costsOf, type OfferChoice, type OfferQuote } from '../domain/offers/offer.js';
import type { OfferItem } from '../domain/offers/items.js';
import type { OfferRow } from '../offers/offer.row.js';

/** A choice under the hash by which it is agreed to: it names the published version, the options, and what they cost. */
export const choiceOf = (
  { publishedVersionHash }: OfferRow,
  items: readonly OfferItem[],
  quote: OfferQuote,
): OfferChoice => ({
  items,
  quote,
  hash: createHash('sha256')
    .update(JSON.stringify([publishedVersionHash, chosenOf(items), costsOf(quote)]))
    .digest('hex'),
});
