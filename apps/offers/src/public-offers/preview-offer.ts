import type { CustomerState, TenantState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { NO_SURROUNDINGS, ReadSurroundings } from '../checkout-pages/surroundings.js';
import { assertOpen, contentOf } from '../domain/offers/offer.js';
import { writeSections } from '../domain/offers/write-sections.js';
import { AskPrices } from '../offers/ask-prices.js';
import { OfferRow, offers } from '../offers/offer.row.js';
import { languageFor, type ShownPage } from '../pages/layout.js';
import { offerPage } from '../pages/offer-page.js';
import { RecipientRow } from '../recipients/recipient.row.js';
import { offerPageOf } from './show-offer.js';

/** The page that recipients would see if the offer were published now. Nothing changes, and nothing can be decided there. */
@Injectable()
export class PreviewOffer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly prices: AskPrices,
    private readonly surroundings: ReadSurroundings,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition` unless it is open, `template_invalid`; what billing refuses */
  async execute(tenantId: string, id: string, lang: string | undefined): Promise<ShownPage> {
    const { offer, customer, tenant } = await this.read(tenantId, id);
    assertOpen(offer, 'preview');
    const around = (await this.surroundings.execute(tenantId, null)) ?? NO_SURROUNDINGS;
    const published = {
      content: contentOf(offer),
      sections: writeSections(offer),
      ...(await this.prices.preview(offer)),
    };
    const language = languageFor(lang, offer.locale, undefined);
    const page = offerPageOf(
      {
        offer: Object.assign(new OfferRow(), offer, { published, choice: null }),
        recipient: Object.assign(new RecipientRow(), { role: 'sign', signedAt: null, firstName: null, lastName: null }),
        customer,
        seller: around.seller,
        sandbox: around.sandbox,
        timeZone: tenant?.timeZone ?? 'Europe/Berlin',
        expired: false,
      },
      around,
      { token: '', language, typed: null },
    );
    return { status: 200, page: offerPage({ ...page, isPreview: true }), look: around.look };
  }

  private read(tenantId: string, id: string) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const offer = await offers.get(tx, id);
        if (!offer) throw notFound('The offer');
        const customer = await this.replicas.get<CustomerState>(tx, 'customer', offer.customerId);
        return { offer, customer, tenant: await this.replicas.get<TenantState>(tx, 'tenant', tenantId) };
      },
      { readOnly: true },
    );
  }
}
