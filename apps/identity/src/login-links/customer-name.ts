import type { CustomerState } from '@kontor/contracts';

/** The name by which a person knows a customer. */
export const customerName = (customer: CustomerState): string =>
  customer.companyName ??
  ([customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.customerNumber);
