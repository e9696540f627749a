import { Injectable } from '@nestjs/common';
import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listSql, page, type Page } from '@kontor/service-kit';
import { OfferRow } from '../db/offer.row.js';
import { type OfferJson, representOffer } from './represent-offer.js';

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
  async one(tx: TenantTx, id: string): Promise<OfferJson> {
    const offer = await tx.manager.findOneBy(OfferRow, { tenantId: tx.tenantId, id });
    if (!offer) throw notFound('The offer');
    return this.shown(tx, offer);
  }

  async shown(tx: TenantTx, offer: OfferRow): Promise<OfferJson> {
    const [json] = await this.represent(tx, [offer]);
    return json as OfferJson;
  }

  async list(tx: TenantTx, list: ListQuery): Promise<Page<OfferJson>> {
    const sql = listSql(list, { columns: COLUMNS, usedParams: 1 });
    const where = `tenant_id = $1 AND ${sql.where}`;
    const counted = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM offer WHERE ${where}`, [tx.tenantId, ...sql.params]);
    const ids = await tx.query<{ id: string }>(
      `SELECT id FROM offer WHERE ${where} ORDER BY ${sql.orderBy} LIMIT ${sql.limit} OFFSET ${sql.offset}`,
      [tx.tenantId, ...sql.params],
    );
    const rows = new Map((await findMany(tx, ids.map((row) => row.id))).map((row) => [row.id, row])); // prettier-ignore
    const offers = ids.flatMap(({ id }) => rows.get(id) ?? []);
    return page(await this.represent(tx, offers), counted[0]?.n ?? 0n, list);
  }

  private async represent(tx: TenantTx, offers: readonly OfferRow[]): Promise<OfferJson[]> {
    const customers = await this.replicas.getMany<CustomerState>(tx, 'customer', offers.map((offer) => offer.customerId)); // prettier-ignore
    const subscriptions = await this.replicas.getMany<SubscriptionState>(tx, 'subscription', offers.flatMap((offer) => offer.subscriptionId ?? [])); // prettier-ignore
    return offers.map((offer) => representOffer(offer, customers.get(offer.customerId), subscriptions.get(offer.subscriptionId ?? '')));
  }
}

const findMany = (tx: TenantTx, ids: readonly string[]): Promise<OfferRow[]> =>
  tx.manager
    .createQueryBuilder(OfferRow, 'o')
    .where('o.tenant_id = :tenantId AND o.id = ANY(:ids)', { tenantId: tx.tenantId, ids: [...ids] })
    .getMany();

/** The offer, locked for a change. @throws DomainError `not_found` */
export async function lockOffer(tx: TenantTx, id: string): Promise<OfferRow> {
  const offer = await tx.manager.findOne(OfferRow, { where: { tenantId: tx.tenantId, id }, lock: { mode: 'pessimistic_write' } });
  if (!offer) throw notFound('The offer');
  return offer;
}
