import type { OfferedPrice, OfferedSale, PreviewedSale, QuoteOfferRequest, SaleQuote } from '@kontor/contracts';
import { ulidToUuid } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { InvoiceDetails } from '../domain/offers/accept.js';
import type { PriceVersions } from '../domain/offers/approval.js';
import { itemsOf, type OfferItem, sells } from '../domain/offers/items.js';
import { unavailable } from '../domain/unavailable.js';
import type { OfferRow } from './offer.row.js';
import { termsOf } from './offer-terms.js';

/** Without a quote where the offer sells nothing. */
type Priced = Omit<PreviewedSale, 'quote'> & { readonly quote: SaleQuote | null };
const NOTHING: Priced & Pick<OfferedSale, 'subscriptionId'> = { subscriptionId: null, quote: null, prices: [] };

/** Asks billing what an offer costs today. Never inside a transaction. */
@Injectable()
export class AskPrices {
  constructor(private readonly internal: InternalClient) {}

  /** Nothing is held. @throws DomainError `service_unavailable`; what billing refuses */
  async preview(offer: OfferRow): Promise<Priced> {
    if (!sells(offer)) return NOTHING;
    return this.ask<PreviewedSale>(offer, '/internal/sales/offers/previews').catch(saidPlainly);
  }

  /**
   * What a published offer costs with these options, at the prices that are held for it; `invoiceDetails`: where its invoices are to go.
   * @throws DomainError as `preview`
   */
  async held(
    { tenantId, published, customerId }: OfferRow,
    items: readonly OfferItem[],
    invoiceDetails: InvoiceDetails | null = null,
  ): Promise<SaleQuote> {
    const request: QuoteOfferRequest = { ...termsOf({ ...published!.content, customerId }, items), invoiceDetails };
    const options = { tenantId, timeoutMs: 10_000 };
    return this.internal
      .call<SaleQuote>('billing', 'POST', '/internal/sales/offers/quotes', request, options)
      .catch(saidPlainly);
  }

  /** From now on the prices stay as they are, until the offer is put away. @throws DomainError what billing refuses */
  async hold(offer: OfferRow): Promise<typeof NOTHING> {
    if (!sells(offer) && offer.madeSubscriptionId === null) return NOTHING;
    return this.ask<OfferedSale>(offer, `/internal/sales/${ulidToUuid(offer.id)}/offer`);
  }

  private ask<T>(offer: OfferRow, path: string): Promise<T> {
    const items = itemsOf(offer.sections);
    const request = { terms: termsOf(offer, items), pricePlans: items.map(({ pricePlan }) => pricePlan) };
    return this.internal.call<T>('billing', 'POST', path, request, { tenantId: offer.tenantId, timeoutMs: 10_000 });
  }
}

function saidPlainly(error: unknown): never {
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown) throw unavailable();
  throw error;
}

export const versionsOf = (prices: readonly OfferedPrice[]): PriceVersions =>
  Object.fromEntries(prices.map(({ pricePlan, version }) => [pricePlan, version]));
