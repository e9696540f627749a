import { isDeepStrictEqual } from 'node:util';
import type { SaleBuyer, SaleQuote, SaleRequest } from '@kontor/contracts';
import { addInterval, dayOf, DomainError, parseInterval, startOfDay } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { BillImmediately } from '../charging/bill-immediately.js';
import { loadPrices } from '../catalogue/prices.js';
import { CreateCustomer, type KnownBefore } from '../customers/create-customer.js';
import { enterDetails } from '../customers/enter-invoice-details.js';
import { lockAccount } from '../subscriptions/agreement.js';
import * as tables from '../db/tables.js';
import type { VatCheckOutcome } from '../domain/customers/vat-id.js';
import type { Known } from '../preview/measured-preview.js';
import { ChangeItems } from '../subscriptions/change-items.js';
import { CreateSubscription } from '../subscriptions/create-subscription.js';
import { QuoteAgreement } from './quote-agreement.js';
import { currencyOf } from './sale-currency.js';

const NOTHING_KNOWN: Known = { measured: new Map(), billed: new Map() };

/** What is known of a sale before its transaction. */
export interface SaleFacts {
  readonly vatId: VatCheckOutcome | null;
  readonly customerNumber: string | null;
  readonly subscriptionNumber: string | null;
}

interface Agreed {
  readonly customerId: string;
  readonly subscriptionId: string;
}

/** The steps of a sale, each in the transaction of the sale. */
@Injectable()
export class SaleSteps {
  constructor(
    private readonly replicas: Replicas,
    private readonly createCustomer: CreateCustomer,
    private readonly createSubscription: CreateSubscription,
    private readonly items: ChangeItems,
    private readonly billImmediately: BillImmediately,
    private readonly quotes: QuoteAgreement,
  ) {}

  /** The subscription, active from now on. What is sold once ends with its first period. */
  async agree(tx: TenantTx, request: SaleRequest, facts: SaleFacts): Promise<Agreed> {
    const customerId = await this.customerOf(tx, request, { vatId: facts.vatId, number: facts.customerNumber });
    const wanted = {
      customer: customerId,
      plan: request.plan,
      items: request.items,
      coupon: request.coupon,
      trialDays: request.trialDays,
      invoiceAddress: request.invoiceAddressId,
      paymentMethod: request.paymentMethodId,
      customFields: await knownFields(tx, request.customFields ?? null),
      activate: true,
    };
    const number = facts.subscriptionNumber;
    const { id: subscriptionId } = await this.createSubscription.within(tx, wanted, { number });
    await this.endCharges(tx, subscriptionId);
    return { customerId, subscriptionId };
  }

  /** The customer, or the buyer as one who is billed in the currency of what is sold. */
  async customerOf(
    tx: TenantTx,
    { customerId, buyer, invoiceDetails, plan, items }: SaleRequest,
    known: KnownBefore,
  ): Promise<string> {
    if (customerId !== null) {
      await lockAccount(tx, customerId);
      if (invoiceDetails) await enterDetails(tx, this.replicas, customerId, invoiceDetails);
      return customerId;
    }
    const input = { ...(buyer as SaleBuyer), currencyCode: await currencyOf(tx, { plan, items }) };
    return (await this.createCustomer.within(tx, input, known)).id;
  }

  /** Of what is measured nothing was used, and nothing is credited: it begins now. */
  async quote(tx: TenantTx, subscriptionId: string): Promise<SaleQuote> {
    return (await this.quotes.execute(tx, subscriptionId, NOTHING_KNOWN)).shown;
  }

  /** @throws DomainError `total_changed` unless the first invoice and the terms are what the buyer saw */
  async refuseOtherTotal(tx: TenantTx, subscriptionId: string, request: SaleRequest): Promise<void> {
    if (request.expectedTotal === null || isAsShown(await this.quote(tx, subscriptionId), request)) return;
    throw new DomainError('total_changed', {
      detail: 'What is sold, or its price, has changed since it was shown. Look at it again.',
    });
  }

  /** What is due today, as one invoice of its own; null: nothing is. */
  async bill(tx: TenantTx, subscriptionId: string, saleId: string, invoiceId: string | null): Promise<string | null> {
    const billed = await this.billImmediately.execute(tx, {
      subscriptionId,
      itemIds: null,
      operationId: saleId,
      sourceType: 'cart',
      ...(invoiceId !== null && { invoiceId }),
    });
    return billed?.id ?? null;
  }

  async endCharges(tx: TenantTx, subscriptionId: string): Promise<void> {
    const items = await tables.subscriptionItems.find(tx, { subscriptionId });
    const { customerId, anchorOn } = await tables.subscriptions.findOneOrFail(tx, { id: subscriptionId });
    const prices = await loadPrices(
      tx,
      items.map(({ pricePlanId }) => pricePlanId),
    );
    const { timeZone } = await tables.customers.findOneOrFail(tx, { id: customerId });
    for (const item of items) {
      if (prices.productOf(item.pricePlanId).type !== 'charge') continue;
      const { billingInterval } = prices.priceOf(item.pricePlanId);
      const from = item.anchorOn ?? anchorOn ?? dayOf(tx.now, timeZone);
      const end = startOfDay(addInterval(from, parseInterval(billingInterval)), timeZone);
      await this.items.cancel(tx, item.id, { cancellationDateType: 'custom', cancellationDate: end.toISOString() });
    }
  }
}

/** What nobody saw is not compared. */
function isAsShown(now: SaleQuote, { expectedTotal, expectedTerms }: SaleRequest): boolean {
  const gross = now.totals?.gross ?? { amount: 0, currencyCode: now.currencyCode };
  return (
    gross.amount === expectedTotal?.amount &&
    gross.currencyCode === expectedTotal.currencyCode &&
    (expectedTerms === undefined || isDeepStrictEqual(now.terms, expectedTerms))
  );
}

/** Of what a buyer answered, what subscriptions have custom fields for. */
async function knownFields(
  tx: TenantTx,
  answers: Readonly<Record<string, string>> | null,
): Promise<Record<string, string> | null> {
  if (answers === null) return null;
  const fields = await tables.customFields.find(tx, { object: 'subscription' });
  const known = Object.entries(answers).filter(([key]) => fields.some((field) => field.key === key));
  return known.length === 0 ? null : Object.fromEntries(known);
}
