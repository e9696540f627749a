import { unknownReference } from '@kontor/kernel';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { isAway, onSale } from '../checkout-links/ask-on-sale.js';
import { namedIn } from '../domain/offers/items.js';
import type { OfferDto } from './offer.dto.js';

/** Asks billing whether there is what an offer is to sell. Never inside a transaction. */
@Injectable()
export class CheckSold {
  constructor(private readonly internal: InternalClient) {}

  /**
   * Whether it is on sale is found when the offer is published, and so is all of this where billing does not answer: an offer can
   * always be written.
   * @throws DomainError `unknown_reference`
   */
  async execute(tenantId: string, { customer, sections }: OfferDto): Promise<void> {
    const named = namedIn(sections ?? []);
    if (named.length === 0) return;
    const idsOf = (what: string): string[] => [
      ...new Set(named.filter((reference) => reference.what === what).map(({ id }) => id)),
    ];
    const request = { pricePlans: idsOf('price plan'), plans: idsOf('plan'), customerId: customer.toLowerCase() };
    const found = await onSale(this.internal, tenantId, request).catch((error: unknown) => {
      if (isAway(error)) return null;
      throw error;
    });
    const missing = found && named.find(({ id }) => !found.has(id));
    if (missing) throw unknownReference(missing.path, missing.what);
  }
}
