import type { SaleQuote, SaleRequest, SaleResponse } from '@kontor/contracts';
import { createHash } from 'node:crypto';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { CheckBuyerVatId } from '../customers/check-buyer-vat-id.js';
import { nextNumber, noNumber } from '../db/number-series.js';
import * as tables from '../db/tables.js';
import type { SaleRow } from '../db/sale.row.js';
import { withoutEffect } from '../db/without-effect.js';
import { lockSale } from './lock-sale.js';
import { type SaleFacts, SaleSteps } from './sale-steps.js';

/** What a cart sells: quoted as often as it changes, sold once. Both run the same steps; a quote rolls them back. */
@Injectable()
export class CreateSale {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly steps: SaleSteps,
    private readonly vatIds: CheckBuyerVatId,
  ) {}

  /** @throws DomainError what the sale itself would refuse */
  async quote(tenantId: string, request: SaleRequest): Promise<SaleQuote> {
    const vatId = await this.vatIds.execute(tenantId, request.buyer?.vatId ?? null);
    return this.database.tenant(tenantId, (tx) =>
      withoutEffect(tx, async () => {
        const { customerId, subscriptionId } = await this.steps.agree(tx, request, unnumbered(vatId));
        const quote = await this.steps.quote(tx, subscriptionId);
        const customer = await tables.customers.findOneOrFail(tx, { id: customerId });
        return { ...quote, vatId: customer.vatId, vatIdStatus: customer.vatIdStatus };
      }),
    );
  }

  /**
   * The buyer as a customer, before anything is sold: a way to pay belongs to a customer.
   * @throws DomainError `total_changed`, and what the sale would refuse: then nobody was created
   */
  async customer(tenantId: string, id: string, request: SaleRequest): Promise<SaleResponse> {
    const vatId = await this.vatIds.execute(tenantId, request.buyer?.vatId ?? null);
    const sale = await this.database.tenant(tenantId, async (tx) => {
      await lockSale(tx, id);
      const known = await tables.sales.get(tx, id);
      if (known && isSame(known, request)) return known;
      await withoutEffect(tx, async () => {
        const { subscriptionId } = await this.steps.agree(tx, request, unnumbered(vatId));
        await this.steps.refuseOtherTotal(tx, subscriptionId, request);
      });
      const customerId = await this.steps.customerOf(tx, request, { vatId, number: null });
      const row = {
        id,
        customerId,
        subscriptionId: null,
        invoiceId: null,
        buyerHash: hashOf(request),
        createdAt: tx.now,
      };
      await tables.sales.save(tx, row);
      return row;
    });
    await this.freshness.copied('customer', tenantId, sale.customerId, 1);
    return answerOf(sale);
  }

  /** @throws DomainError `total_changed`, and what creating a subscription and redeeming a coupon refuse */
  async sell(tenantId: string, id: string, request: SaleRequest): Promise<SaleResponse> {
    const vatId = await this.vatIds.execute(tenantId, request.buyer?.vatId ?? null);
    const numbers = await this.takeNumbers(tenantId, id, request);
    const sale = await this.database.tenant(tenantId, async (tx) => {
      await lockSale(tx, id);
      const known = await tables.sales.get(tx, id);
      if (known?.subscriptionId) return known;
      const agreed = await this.steps.agree(tx, ofKnown(known, request), { ...numbers, vatId });
      await this.steps.refuseOtherTotal(tx, agreed.subscriptionId, request);
      const invoiceId = await this.steps.bill(tx, agreed.subscriptionId, id, request.invoiceId);
      const row = { id, ...agreed, invoiceId, buyerHash: hashOf(request), createdAt: known?.createdAt ?? tx.now };
      await tables.sales.save(tx, row);
      return row;
    });
    return answerOf(sale);
  }

  /**
   * Drawn and committed before the sale: all of a tenant take them from one row, and nobody waits there until another has sold.
   * A sale that is refused then, or was made at the same time, leaves its numbers to nobody.
   */
  private takeNumbers(tenantId: string, id: string, request: SaleRequest): Promise<Omit<SaleFacts, 'vatId'>> {
    return this.database.tenant(tenantId, async (tx) => {
      const known = await tables.sales.get(tx, id);
      if (known?.subscriptionId) return { customerNumber: null, subscriptionNumber: null };
      const isNew = ofKnown(known, request).customerId === null;
      return {
        customerNumber: isNew ? await nextNumber(tx, 'customer') : null,
        subscriptionNumber: await nextNumber(tx, 'subscription'),
      };
    });
  }
}

/** Of what is quoted. */
const unnumbered = (vatId: SaleFacts['vatId']): SaleFacts => ({
  vatId,
  customerNumber: noNumber(),
  subscriptionNumber: noNumber(),
});

const answerOf = ({ customerId, subscriptionId, invoiceId }: Omit<SaleRow, 'tenantId'>): SaleResponse => ({
  customerId,
  subscriptionId,
  invoiceId,
});

/** The sale of somebody who became a customer by what was said before. */
const ofKnown = (known: SaleRow | null, request: SaleRequest): SaleRequest =>
  known && isSame(known, request) ? { ...request, customerId: known.customerId, buyer: null } : request;

/** A buyer who corrected something before anything was sold is somebody else: what was said first stays with nobody. */
const isSame = (sale: SaleRow, request: SaleRequest): boolean =>
  sale.subscriptionId !== null || sale.buyerHash === hashOf(request);

const hashOf = ({ customerId, buyer }: SaleRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([customerId, buyer]))
    .digest('hex');
