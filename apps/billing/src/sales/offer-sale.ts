import type {
  OfferedPrice,
  OfferedSale,
  OfferTerms,
  PreviewedSale,
  QuoteOfferRequest,
  SaleQuote,
} from '@kontor/contracts';
import { invalidTransition } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadPrices } from '../catalogue/prices.js';
import { enterDetails } from '../customers/enter-invoice-details.js';
import * as tables from '../db/tables.js';
import { withoutEffect } from '../db/without-effect.js';
import { MeasuredPreview } from '../preview/measured-preview.js';
import { lockAccount } from '../subscriptions/agreement.js';
import { OfferEffect } from './offer-effect.js';
import { OfferedSubscription } from './offered-subscription.js';
import { lockSale } from './lock-sale.js';

/** What billing does for an offer until it is accepted: a price, held, and a subscription that waits. */
@Injectable()
export class OfferSale {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly measured: MeasuredPreview,
    private readonly offered: OfferedSubscription,
    private readonly effect: OfferEffect,
  ) {}

  /** What it costs at prices that were promised. Nothing stays. @throws DomainError what accepting would refuse */
  quote(tenantId: string, { invoiceDetails = null, ...terms }: QuoteOfferRequest): Promise<SaleQuote> {
    return this.measured.execute(tenantId, async (tx, known) => {
      await lockAccount(tx, terms.customerId);
      return withoutEffect(tx, async () => {
        if (invoiceDetails) await enterDetails(tx, this.replicas, terms.customerId, invoiceDetails);
        return this.effect.quote(tx, terms, known, 'promised');
      });
    });
  }

  /** What {@link offer} would say of it today. Nothing stays. @throws DomainError what accepting would refuse */
  preview(tenantId: string, terms: OfferTerms, pricePlans: readonly string[]): Promise<PreviewedSale> {
    return this.measured.execute(tenantId, async (tx, known) => {
      await lockAccount(tx, terms.customerId);
      const { shown, requests } = await this.effect.quote(tx, terms, known, 'active');
      return { shown: { quote: shown, prices: await namesOf(tx, pricePlans) }, requests };
    });
  }

  /**
   * Published: from now on `pricePlans`, also of options that are not chosen, stay as they are.
   * @throws DomainError `invalid_status_transition` once it is accepted, and what accepting would refuse
   */
  offer(tenantId: string, id: string, terms: OfferTerms, pricePlans: readonly string[]): Promise<OfferedSale> {
    return this.measured.execute(tenantId, async (tx, known) => {
      await lockSale(tx, id);
      await lockAccount(tx, terms.customerId);
      if (await tables.sales.exists(tx, { id })) throw invalidTransition('offer', 'signed', 'publish');
      const subscriptionId = await this.offered.prepare(tx, id, terms, 'active');
      await hold(tx, id, pricePlans);
      const { shown, requests } = await this.effect.quote(
        tx,
        { ...terms, subscriptionId: subscriptionId ?? terms.subscriptionId },
        known,
        'active',
      );
      return { shown: { subscriptionId, quote: shown, prices: await namesOf(tx, pricePlans) }, requests };
    });
  }

  /** The offer was put away or deleted, as often as it is asked; one that was accepted stays as it is. */
  async withdraw(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await lockSale(tx, id);
      const known = await tables.offeredSales.get(tx, id);
      if (!known) return;
      const waiting = known.subscriptionId && (await tables.subscriptions.get(tx, known.subscriptionId));
      if (waiting) await lockAccount(tx, waiting.customerId);
      await this.offered.release(tx, known);
      await forget(tx, id);
    });
  }
}

async function namesOf(tx: TenantTx, ids: readonly string[]): Promise<OfferedPrice[]> {
  const { planOf, productOf } = await loadPrices(tx, ids);
  return [...new Set(ids)].map((pricePlan) => {
    const { version, type, currencyCode, priceAmount, pricePrecision, billingInterval } = planOf(pricePlan);
    const product = productOf(pricePlan);
    const isPlain = (type === 'flat_fee' || type === 'per_unit') && priceAmount !== null;
    return {
      pricePlan,
      version,
      name: product.name,
      unitPrice: isPlain
        ? { amount: Number(priceAmount), currencyCode, precision: pricePrecision ?? exponentOf(currencyCode) }
        : null,
      billingInterval: product.type === 'charge' ? null : billingInterval,
    };
  });
}

async function hold(tx: TenantTx, offerId: string, pricePlans: readonly string[]): Promise<void> {
  await tables.offeredPrices.delete(tx, { offerId });
  const ids = [...new Set(pricePlans)];
  if (ids.length === 0) return;
  // Whoever changes the tax of one of them waits, and then finds that it is offered.
  await tx.query(
    `SELECT 1 FROM product r WHERE r.tenant_id = $1 AND r.id IN (
       SELECT p.product_id FROM price_plan p WHERE p.tenant_id = $1 AND p.id = ANY ($2::uuid[]))
     ORDER BY r.id FOR SHARE`,
    [tx.tenantId, ids],
  );
  await tables.offeredPrices.insert(
    tx,
    ids.map((pricePlanId) => ({ offerId, pricePlanId })),
  );
}

/** The prices are free again, or held by what was sold. */
export async function forget(tx: TenantTx, id: string): Promise<void> {
  await tables.offeredPrices.delete(tx, { offerId: id });
  await tables.offeredSales.delete(tx, { id });
}
