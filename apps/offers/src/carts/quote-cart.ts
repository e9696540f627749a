import type { SaleBuyer, SaleInvoiceDetails, SaleQuote, SaleRequest } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { Buyer } from '../domain/carts/cart.js';
import { unavailable } from '../domain/unavailable.js';
import type { CartRow, Confirmation } from './cart.row.js';

type Priced = Pick<CartRow, 'customerId' | 'customerEmail' | 'buyer' | 'items' | 'couponCode' | 'options'> &
  Partial<Pick<CartRow, 'invoiceId' | 'customFields' | 'language' | 'quote'>>;

/** Who is not known yet is quoted as a consumer at home. */
const NOBODY: Buyer = {
  companyName: null,
  firstName: null,
  lastName: null,
  street: null,
  houseNumber: null,
  zip: null,
  city: null,
  addition: null,
  countryCode: null,
  vatId: null,
};

/** Asks billing what a cart costs: the amounts are those of its invoice. Never inside a transaction. */
@Injectable()
export class QuoteCart {
  constructor(private readonly internal: InternalClient) {}

  /** @throws DomainError what the sale would refuse, `currency_mix`, 503 `service_unavailable` */
  async execute(tenantId: string, cart: Priced, confirmation: Confirmation | null = null): Promise<SaleQuote> {
    const quote = await this.ask(tenantId, requestOf(cart, confirmation));
    if (quote.totals === null && quote.lines.length > 0)
      throw new DomainError('currency_mix', {
        detail: "All that is sold together must have one currency, which is the customer's where there is one already.",
      });
    return quote;
  }

  /** {@link execute} of items that nobody named with this request. @throws DomainError `no_longer_sold` */
  async ofKnown(tenantId: string, cart: Priced, confirmation: Confirmation | null = null): Promise<SaleQuote> {
    try {
      return await this.execute(tenantId, cart, confirmation);
    } catch (error) {
      throw refusalOfItems(error);
    }
  }

  private async ask(tenantId: string, request: SaleRequest): Promise<SaleQuote> {
    try {
      const options = { tenantId, timeoutMs: 15_000 };
      return await this.internal.call<SaleQuote>('billing', 'POST', '/internal/sales/quotes', request, options);
    } catch (error) {
      // A quote has no effect: whatever became of it, it can be asked for again.
      if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown) throw unavailable();
      throw error;
    }
  }
}

/** What was sold once and is not any more says so: whoever orders has not named it. Other refusals stay as they are. */
export function refusalOfItems(error: unknown): unknown {
  const isOfItems =
    error instanceof DomainError && error.violations.some(({ propertyPath }) => ITEMS.test(propertyPath));
  return isOfItems ? new DomainError('no_longer_sold', { detail: 'What is in the cart is no longer sold.' }) : error;
}

const ITEMS = /^(items\[\d+\]\.pricePlan|plan)$/;

/** The sale that a cart is, as billing is asked for it. */
export function requestOf(cart: Priced, confirmation: Confirmation | null): SaleRequest {
  const plan = cart.items.find((item) => item.plan !== null)?.plan ?? null;
  return {
    customerId: cart.customerId,
    buyer: cart.customerId === null ? buyerOf(cart, confirmation) : null,
    plan,
    items: cart.items.flatMap(({ pricePlan, quantity }) => (pricePlan === null ? [] : [{ pricePlan, quantity }])),
    coupon: cart.couponCode,
    trialDays: cart.options.trialDays,
    paymentMethodId: null,
    invoiceAddressId: confirmation?.invoiceAddressId ?? null,
    invoiceId: cart.invoiceId ?? null,
    invoiceDetails: cart.customerId === null ? null : detailsOf(cart.buyer),
    expectedTotal: confirmation?.expectedTotal ?? null,
    ...(cart.quote?.terms && { expectedTerms: cart.quote.terms }),
    customFields: cart.customFields ?? null,
  };
}

/** A whole address; a part of one changes nothing of a customer. */
function detailsOf(buyer: Buyer | null): SaleInvoiceDetails | null {
  const { street, zip, city, countryCode } = buyer ?? NOBODY;
  if (buyer === null || street === null || zip === null || city === null) return null;
  return { ...buyer, street, zip, city, countryCode: countryCode ?? 'DE', poNumber: null, leitwegId: null };
}

function buyerOf({ buyer, customerEmail, language }: Priced, confirmation: Confirmation | null): SaleBuyer {
  const known = buyer ?? NOBODY;
  const isNamed = known.companyName !== null || (known.firstName !== null && known.lastName !== null);
  return {
    ...known,
    // For a quote only: an order is refused without a name.
    companyName: isNamed ? known.companyName : 'Cart',
    email: confirmation?.email ?? customerEmail ?? 'cart@cart.invalid',
    phone: confirmation?.phone ?? null,
    language: confirmation?.language ?? language ?? null,
  };
}
