/**
 * An id that names its kind of object: the compiler refuses a customer's where an invoice's is meant. A plain string fits
 * everywhere, so that what comes from a request or a row needs no cast. @see docs/adr/0021-ids-name-their-kind.md
 */
export type Id<Kind extends string> = string & { readonly kindOfId?: Kind };

export type TenantId = Id<'tenant'>;
export type CustomerId = Id<'customer'>;
export type SubscriptionId = Id<'subscription'>;
export type InvoiceId = Id<'invoice'>;
export type PaymentIntentId = Id<'payment intent'>;
export type PaymentMethodId = Id<'payment method'>;
export type UsageMetricId = Id<'usage metric'>;
