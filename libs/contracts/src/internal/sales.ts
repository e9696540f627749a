import type { MoneyJson, UnitPriceJson } from '@kontor/money';

/**
 * How long a contract binds: `contractPeriodCount × contractPeriod` first, then `contractPeriod` each time; without one, as long as
 * what is billed last. The notice is given before the end.
 */
export interface SaleTerm {
  contractPeriodCount: number;
  contractPeriod: string | null;
  cancellationPeriod: string | null;
}

export interface MeasuredPrice {
  name: string;
  interval: string;
  price: string;
}

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
  /** Of each interval in which something is billed again; without what is measured, and without discounts that end. */
  recurring: { interval: string; net: MoneyJson; gross: MoneyJson }[];
  /** What is billed by use: how each price is computed, net, in the buyer's language. Absent in earlier quotes. */
  measured?: MeasuredPrice[];
  /** Of a subscription that begins or is renewed; null: it can end with each of its billing periods. */
  term?: SaleTerm | null;
  /** ISO instant of the first invoice; null when nothing will be billed. */
  billingDate: string | null;
  /**
   * What is agreed beside the first total, sorted: what is sold, what comes again and when, discounts that end, how long it binds. One text is another
   * whenever its part is, whatever the language, and the tax where the buyer lives. Of a subscription that begins; absent in earlier quotes.
   */
  terms?: string[];
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
  /** The `terms` of what the buyer saw: others are refused in the same way. Absent where nobody saw any. */
  expectedTerms?: string[];
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
  /** Where a German authority wants its e-invoices; the customer keeps it. */
  leitwegId: string | null;
}

/** What an offer is to lead to. */
export type OfferDeal = 'new_business' | 'expansion' | 'renewal' | 'one_off';

export interface OfferSaleItem {
  pricePlan: string;
  /** Of an item that is changed: its new quantity. */
  quantity: string;
  name: string | null;
  description: string | null;
  /** The item of the subscription that gets this price and quantity; null: a further one. */
  subscriptionItem: string | null;
}

/** What an offer sells; the buyer's choice is made already. */
export interface OfferTerms {
  dealType: OfferDeal;
  customerId: string;
  /** Of the subscription that begins. */
  name: string | null;
  /** The subscription that begins, or is changed; null: a new one. */
  subscriptionId: string | null;
  plan: string | null;
  items: OfferSaleItem[];
  /** Day from which on it holds; null: the day of acceptance, of a renewal the end of the present term. */
  startsOn: string | null;
  trialDays: number;
  period: { contractPeriodCount: number; contractPeriod: string; cancellationPeriod: string | null } | null;
}

/** billing: `POST /internal/sales/offers/quotes` answers a {@link SaleQuote}, of what it costs with the details that are entered then. */
export type QuoteOfferRequest = OfferTerms & Partial<Pick<AcceptSaleRequest, 'invoiceDetails'>>;

/**
 * billing: `POST /internal/sales/:id/offer` holds the prices of {@link OfferTerms} and has the subscription wait for acceptance, under the
 * offer's id; `POST /internal/sales/:id/withdrawal` ends that.
 */
export interface OfferedSale {
  /** The subscription in status `offer`; null: the offer makes or changes another. */
  subscriptionId: string | null;
  quote: SaleQuote;
  prices: OfferedPrice[];
}

/** billing: `POST /internal/sales/offers/previews`. What publishing would say today; nothing is held. */
export type PreviewedSale = Pick<OfferedSale, 'quote' | 'prices'>;

/** What a price that is offered, as an option too, is called, and costs where that is one amount per unit. */
export interface OfferedPrice {
  pricePlan: string;
  /** Grows with each change of the price plan. */
  version: number;
  name: string;
  unitPrice: UnitPriceJson | null;
  /** Null: charged once. */
  billingInterval: string | null;
}

/** billing: `POST /internal/sales/:id/acceptance`. What an accepted offer leads to; once per id, however often it is asked. */
export interface AcceptSaleRequest {
  terms: OfferTerms;
  /** Whether a new subscription begins, or becomes a draft. */
  activate: boolean;
  invoiceDetails: SaleInvoiceDetails | null;
}
export interface AcceptSaleResponse {
  customerId: string;
  subscriptionId: string | null;
  /** Of what is due at once; null: nothing is. */
  invoiceId: string | null;
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

/** billing: `POST /internal/sales/on-sale`. What there is of what is named; nothing of what is unknown, or belongs to another customer. */
export interface OnSaleRequest {
  pricePlans: string[];
  plans: string[];
  /** Who is to buy; nobody in particular when absent. */
  customerId?: string;
}
export interface OnSaleResponse {
  data: OnSale[];
}
export interface OnSale {
  /** Of a price plan, or of a plan. */
  id: string;
  /** Whether it can be bought today, with all that is part of it. */
  isActive: boolean;
  currencyCodes: string[];
}
