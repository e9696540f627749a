import { Injectable } from '@nestjs/common';
import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { type OfferRow, offers } from './offer.row.js';
import type { OfferJson } from './offer.schema.js';
import { documents } from '../files/offer-document.row.js';
import { recipients } from '../recipients/recipient.row.js';
import { representOffer } from './represent-offer.js';

const COLUMNS = {
  customer: { sql: 'customer_id', type: 'uuid' },
  status: 'status',
  dealType: 'deal_type',
  number: 'number',
  crmDealId: 'crm_deal_id',
  validUntil: 'valid_until',
  createdAt: 'created_at',
} as const;

/** Offers as the API shows them. */
@Injectable()
export class ReadOffers {
  constructor(private readonly replicas: Replicas) {}

  /** @throws DomainError `not_found` */
  async byId(tx: TenantTx, id: string): Promise<OfferJson> {
    const offer = await offers.get(tx, id);
    if (!offer) throw notFound('The offer');
    return this.shown(tx, offer);
  }

  async shown(tx: TenantTx, offer: OfferRow): Promise<OfferJson> {
    const [json] = await this.represent(tx, [offer]);
    return json as OfferJson;
  }

  async list(tx: TenantTx, list: ListQuery): Promise<Page<OfferJson>> {
    const { rows, total } = await listRows(tx, list, { table: offers, columns: COLUMNS });
    return page(await this.represent(tx, rows), total, list);
  }

  private async represent(tx: TenantTx, rows: readonly OfferRow[]): Promise<OfferJson[]> {
    const customers = await this.replicas.getMany<CustomerState>(
      tx,
      'customer',
      rows.map((offer) => offer.customerId),
    );
    const subscriptions = await this.replicas.getMany<SubscriptionState>(
      tx,
      'subscription',
      rows.flatMap((offer) => offer.subscriptionId ?? offer.madeSubscriptionId ?? []),
    );
    const named = await recipients.find(
      tx,
      { offerId: rows.map(({ id }) => id) },
      { orderBy: { turn: 'asc', id: 'asc' } },
    );
    const files = await documents.find(
      tx,
      { offerId: rows.map(({ id }) => id), kind: ['purchase_order', 'audit_log', 'signed'] },
      { orderBy: { id: 'asc' } },
    );
    const filesOf = Map.groupBy(files, ({ offerId }) => offerId);
    const byOffer = Map.groupBy(named, ({ offerId }) => offerId);
    return rows.map((offer) =>
      representOffer(
        offer,
        customers.get(offer.customerId),
        subscriptions.get(offer.subscriptionId ?? offer.madeSubscriptionId ?? ''),
        byOffer.get(offer.id) ?? [],
        filesOf.get(offer.id) ?? [],
      ),
    );
  }
}

/** The offer, locked for a change. @throws DomainError `not_found` */
export async function lockOffer(tx: TenantTx, id: string): Promise<OfferRow> {
  const offer = await offers.get(tx, id, { lock: 'update' });
  if (!offer) throw notFound('The offer');
  return offer;
}
