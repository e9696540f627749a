import type { CustomerId } from '@kontor/kernel';

/** A document as payments needs to know it where it has no intent. */
export interface InvoiceReference {
  id: string;
  customerId: CustomerId;
}
