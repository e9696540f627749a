import type { OfferTerms } from '@kontor/contracts';
import { agreementOf, type OfferItem } from '../domain/offers/items.js';
import type { OfferContent } from '../domain/offers/offer.js';

/** What an offer sells, as billing is asked for it, with the items that are chosen. */
export const termsOf = (content: OfferContent, items: readonly OfferItem[]): OfferTerms => ({
  dealType: content.dealType,
  customerId: content.customerId,
  name: content.name,
  subscriptionId: content.subscriptionId,
  ...agreementOf(content.sections),
  items: items
    .filter(({ selected }) => selected)
    .map(({ pricePlan, quantity, name, description, subscriptionItem }) => ({
      pricePlan,
      quantity,
      name,
      description,
      subscriptionItem,
    })),
});
