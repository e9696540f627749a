import type { MoneyJson } from '@kontor/money';

/** First invoice of an agreement and what follows it, with tax; the amounts are those of the invoice. */
export interface SaleQuote {
  currencyCode: string;
  lines: {
    name: string;
    description: string | null;
    quantity: string;
    netAmount: MoneyJson;
    discountAmount: MoneyJson | null;
  }[];
  /** Null where lines are in a currency that is not the customer's: they are converted when the invoice is made. */
  totals: { net: MoneyJson; tax: MoneyJson; gross: MoneyJson; discount: MoneyJson } | null;
  /** Of each interval in which something is billed again; without what is measured. */
  recurring: { interval: string; net: MoneyJson; gross: MoneyJson }[];
  /** ISO instant of the first invoice; null when nothing will be billed. */
  billingDate: string | null;
  /** Of the customer that was looked at, in quotes of {@link SaleRequest}. */
  vatId?: string | null;
  vatIdStatus?: string;
}

/** Somebody who is no customer yet. */
export interface SaleBuyer {
  email: string;
  phone: string | null;
  companyName: string | null;
  firstName: string | null;
  lastName: string | null;
  street: string | null;
  houseNumber: string | null;
  zip: string | null;
  city: string | null;
  addition: string | null;
  countryCode: string | null;
  vatId: string | null;
  language: string | null;
}

/**
 * billing: `POST /internal/sales/quotes` answers a {@link SaleQuote}; `POST /internal/sales/:id/customer` and `POST /internal/sales/:id` a
 * {@link SaleResponse}, each with one effect per id.
 */
export interface SaleRequest {
  /** A customer, or a buyer who becomes one. */
  customerId: string | null;
  buyer: SaleBuyer | null;
  plan: string | null;
  items: { pricePlan: string; quantity: string }[];
  coupon: string | null;
  trialDays: number;
  paymentMethodId: string | null;
  invoiceAddressId: string | null;
  /** What the first invoice is to be called, where there is one. */
  invoiceId: string | null;
  /** A customer's new address. */
  invoiceDetails: SaleInvoiceDetails | null;
  /** What the buyer saw: another gross amount of the first invoice is refused, `total_changed`. */
  expectedTotal: MoneyJson | null;
  /** What the buyer answered; the subscription gets those for which it has a custom field. */
  customFields: Record<string, string> | null;
}
export interface SaleResponse {
  customerId: string;
  subscriptionId: string | null;
  /** Null: nothing is billed today. */
  invoiceId: string | null;
}

/** Where invoices go, as the one who agreed has said. */
export interface SaleInvoiceDetails {
  companyName: string | null;
  firstName: string | null;
  lastName: string | null;
  street: string;
  houseNumber: string | null;
  zip: string;
  city: string;
  addition: string | null;
  countryCode: string;
  vatId: string | null;
  poNumber: string | null;
}

/**
 * billing: `POST /internal/sales/:id/acceptance`. What an accepted offer leads to; once per id, however often it is asked.
 * `GET /internal/sales/quotes/:subscriptionId` answers a {@link SaleQuote}.
 */
export interface AcceptSaleRequest {
  customerId: string;
  /** The subscription that begins; null: the invoice details only. */
  subscriptionId: string | null;
  activate: boolean;
  invoiceDetails: SaleInvoiceDetails | null;
}
export interface AcceptSaleResponse {
  customerId: string;
  subscriptionId: string | null;
}

/**
 * billing: `POST /internal/sales/cancellation-notices`. Cancels the contract that a notice means, once, at the next possible time or the wanted
 * later one; null: it is not clear which one is meant.
 */
export interface CancelByNoticeRequest {
  email: string;
  /** As it was declared: a number, a name, or anything. */
  contract: string;
  reason: string | null;
  /** `YYYY-MM-DD` */
  wantedOn: string | null;
}
export interface CancelByNoticeResponse {
  customerId: string | null;
  subscriptionId: string | null;
}
