import type { CustomerState } from '@kontor/contracts';
import type { CartRow } from './cart.row.js';
import type { CartJson, PublicCartJson } from './cart.schema.js';

const fields = (cart: CartRow) => {
  const { quote } = cart;
  const none = { amount: 0, currencyCode: quote.currencyCode };
  return {
    id: cart.id,
    status: cart.status,
    customerEmail: cart.customerEmail,
    invoiceAddress: cart.buyer && { ...cart.buyer },
    items: cart.items.map((item) => ({ ...item })),
    couponCode: cart.couponCode,
    customFields: cart.customFields && { ...cart.customFields },
    trialDays: cart.options.trialDays,
    currencyCode: quote.currencyCode,
    vatIdStatus: quote.vatIdStatus ?? null,
    lines: quote.lines,
    totals: {
      ...(quote.totals ?? { net: none, tax: none, gross: none, discount: none }),
      recurring: quote.recurring,
    },
    billingDate: quote.billingDate,
    subscription: cart.subscriptionId === null ? null : { id: cart.subscriptionId },
    invoice: cart.invoiceId === null || cart.subscriptionId === null ? null : { id: cart.invoiceId },
    expiresAt: cart.expiresAt.toISOString(),
  };
};

/** What the buyer sees: of a customer the name alone. */
export const representPublicCart = (cart: CartRow, customer: CustomerState | null): PublicCartJson => ({
  ...fields(cart),
  customer: customer && {
    companyName: customer.companyName,
    firstName: customer.firstName,
    lastName: customer.lastName,
  },
});

export const representCart = (cart: CartRow, customer: CustomerState | null): CartJson => ({
  ...fields(cart),
  customer: cart.customerId === null ? null : (customer?.representation ?? { id: cart.customerId }),
  checkoutLink: cart.linkId === null ? null : { id: cart.linkId },
  metadata: cart.metadata,
  createdAt: cart.createdAt.toISOString(),
  updatedAt: cart.updatedAt.toISOString(),
});
