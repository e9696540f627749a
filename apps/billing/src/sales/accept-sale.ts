import type { AcceptSaleRequest, AcceptSaleResponse, SaleInvoiceDetails } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { enterDetails } from '../customers/enter-invoice-details.js';
import * as tables from '../db/tables.js';
import { lockAccount } from '../subscriptions/agreement.js';
import { SubscriptionLifecycle } from '../subscriptions/lifecycle.js';

/** Gives an accepted offer its effect: the invoice details and the begin of the subscription, once per offer. */
@Injectable()
export class AcceptSale {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
    private readonly lifecycle: SubscriptionLifecycle,
  ) {}

  /** @throws DomainError `not_found`, `customer_archived`, `invalid_status_transition` */
  async execute(tenantId: string, id: string, request: AcceptSaleRequest): Promise<AcceptSaleResponse> {
    let version: number | null = null;
    const done = await this.database.tenant(tenantId, async (tx) => {
      await lockAccount(tx, request.customerId);
      const [sale] = await tables.sales.insertMissing(tx, {
        id,
        customerId: request.customerId,
        subscriptionId: request.subscriptionId,
        invoiceId: null,
        buyerHash: null,
        createdAt: tx.now,
      });
      if (!sale) return tables.sales.findOneOrFail(tx, { id });
      if (request.invoiceDetails) version = await this.enter(tx, request.customerId, request.invoiceDetails);
      await this.begin(tx, request);
      return sale;
    });
    if (version !== null) await this.freshness.copied('customer', tenantId, request.customerId, version);
    return { customerId: done.customerId, subscriptionId: done.subscriptionId };
  }

  private enter(tx: TenantTx, customerId: string, details: SaleInvoiceDetails): Promise<number> {
    return enterDetails(tx, this.replicas, customerId, details);
  }

  /** One that somebody activated by hand meanwhile has begun already. */
  private async begin(tx: TenantTx, { subscriptionId, activate }: AcceptSaleRequest): Promise<void> {
    if (subscriptionId === null || !activate) return;
    const subscription = await tables.subscriptions.get(tx, subscriptionId);
    if (subscription?.status !== 'active') await this.lifecycle.activate(tx, subscriptionId, {});
  }
}
