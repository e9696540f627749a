import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { dayOf, newUlid, notFound, yearOf } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { AddRecipients } from '../recipients/add-recipients.js';
import { RecipientLinks } from '../recipients/tokens.js';
import { OfferRow, offers } from './offer.row.js';
import { assertValidity, contentOf, type OfferContent, offerNumber } from '../domain/offers/offer.js';
import { CheckSold } from './check-sold.js';
import { saveOffer } from './save-offer.js';
import { hashOf, ReadOfferContent } from './offer-content.js';
import type { OfferDto } from './offer.dto.js';
import { ReadOffers } from './offer.read.js';
import type { OfferJson } from './offer.schema.js';

/** Writes a new offer, open and not yet published. */
@Injectable()
export class CreateOffer {
  constructor(
    private readonly database: Database,
    private readonly readContent: ReadOfferContent,
    private readonly checkSold: CheckSold,
    private readonly readOffers: ReadOffers,
    private readonly replicas: Replicas,
    private readonly addRecipients: AddRecipients,
    private readonly links: RecipientLinks,
  ) {}

  /** @throws DomainError `unknown_reference`, `customer_archived`, `validation_failed` */
  async execute(tenantId: string, body: OfferDto): Promise<OfferJson> {
    await this.checkSold.execute(tenantId, body);
    return this.database.tenant(tenantId, async (tx) => {
      const validUntil = body.validUntil ? new Date(body.validUntil) : null;
      assertValidity(validUntil, tx.now);
      const content = await this.readContent.execute(tx, body);
      const offer = Object.assign(new OfferRow(), content, {
        tenantId,
        ...(await this.readContent.aside(tx, body)),
        ...(await this.fresh(tx, content, validUntil)),
      });
      await saveOffer(tx, offer, null);
      const added = await this.addRecipients.execute(tx, offer.id, body.recipients ?? []);
      const shown = await this.readOffers.shown(tx, offer);
      const links = new Map(added.map((recipient) => [recipient.id, this.links.linkOf(recipient)]));
      return {
        ...shown,
        recipients: shown.recipients.map((recipient) => ({ ...recipient, link: links.get(recipient.id) ?? '' })),
      };
    });
  }

  /** The same content as a new offer that is not published; its recipients get links when they are added to it. */
  async duplicate(tenantId: string, id: string): Promise<OfferJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const original = await offers.get(tx, id);
      if (!original) throw notFound('The offer');
      const content = contentOf(original);
      const validUntil = original.validUntil && original.validUntil > tx.now ? original.validUntil : null;
      const offer = Object.assign(new OfferRow(), original, content, await this.fresh(tx, content, validUntil));
      await saveOffer(tx, offer, null);
      return this.readOffers.shown(tx, offer);
    });
  }

  private async fresh(tx: TenantTx, content: OfferContent, validUntil: Date | null) {
    return {
      id: newUlid(),
      version: 0n,
      number: await this.nextNumber(tx),
      status: 'open' as const,
      validUntil,
      issuedAt: null,
      expiredFor: null,
      remindedAt: null,
      approval: null,
      currentVersionHash: hashOf(content),
      publishedVersionHash: null,
      published: null,
      acceptedAt: null,
      signedAt: null,
      capturedInvoiceDetails: null,
      saleState: null,
      saleFailure: null,
      choice: null,
      madeSubscriptionId: null,
      madeInvoiceId: null,
      createdAt: tx.now,
    };
  }

  /** The next number of the year in the tenant's zone; the series' row is locked until the commit. */
  private async nextNumber(tx: TenantTx): Promise<string> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const year = yearOf(dayOf(tx.now, tenant?.timeZone ?? 'Europe/Berlin'));
    const rows = await tx.query<{ last: number }>(
      `INSERT INTO offer_series AS s (tenant_id, year, last) VALUES ($1, $2, 1)
       ON CONFLICT (tenant_id, year) DO UPDATE SET last = s.last + 1 RETURNING last`,
      [tx.tenantId, year],
    );
    return offerNumber(year, rows[0]?.last ?? 1);
  }
}
