import type { AcceptSaleRequest, AcceptSaleResponse, SaleInvoiceDetails } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { enterDetails } from '../customers/enter-invoice-details.js';
import * as tables from '../db/tables.js';
import { lockAccount } from '../subscriptions/agreement.js';
import { lockSale } from './lock-sale.js';
import { OfferEffect } from './offer-effect.js';
import { forget } from './offer-sale.js';

/** Gives an accepted offer its effect: the invoice details and the begin of the subscription, once per offer. */
@Injectable()
export class AcceptSale {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
    private readonly effect: OfferEffect,
  ) {}

  /** @throws DomainError `not_found`, `customer_archived`, `invalid_status_transition` */
  async execute(tenantId: string, id: string, request: AcceptSaleRequest): Promise<AcceptSaleResponse> {
    const { customerId } = request.terms;
    let version: number | null = null;
    const done = await this.database.tenant(tenantId, async (tx) => {
      await lockSale(tx, id);
      await lockAccount(tx, customerId);
      const known = await tables.sales.get(tx, id);
      if (known) return known;
      if (request.invoiceDetails) version = await this.enter(tx, customerId, request.invoiceDetails);
      const sale = {
        id,
        customerId,
        buyerHash: null,
        createdAt: tx.now,
        ...(await this.effect.execute(tx, id, request)),
      };
      await tables.sales.insert(tx, sale);
      await forget(tx, id);
      return sale;
    });
    if (version !== null) await this.freshness.copied('customer', tenantId, customerId, version);
    return { customerId: done.customerId, subscriptionId: done.subscriptionId, invoiceId: done.invoiceId };
  }

  private enter(tx: TenantTx, customerId: string, details: SaleInvoiceDetails): Promise<number> {
    return enterDetails(tx, this.replicas, customerId, details);
  }
}
