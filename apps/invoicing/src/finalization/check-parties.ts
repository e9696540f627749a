import { DomainError } from '@kontor/kernel';
import type { BlockedReason } from '../domain/invoices/invoice.js';
import { isAddressComplete } from '../domain/invoices/recipient.js';
import { isSellerComplete } from '../domain/invoices/settings.js';
import type { Draft, Obstacle } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

const DETAILS: Readonly<Partial<Record<BlockedReason, string>>> = {
  seller_data_incomplete:
    'The seller data in the billing settings are incomplete: company, address and a tax number or VAT id are needed.',
  invoice_address_incomplete:
    "The customer's invoice address is incomplete: name, street, postcode, city and country are needed.",
};

/** Whether seller and recipient are known as an invoice must name them. */
export function checkParties(draft: Draft, context: InvoiceContext): Obstacle | null {
  const reason = missingParty(draft, context);
  return reason && { step: 'parties', reason, error: new DomainError(reason, { detail: DETAILS[reason] }) };
}

function missingParty({ customer, address }: Draft, context: InvoiceContext): BlockedReason | null {
  if (!customer) return 'customer_missing';
  if (!isSellerComplete(context.settingsOf(customer.id).seller)) return 'seller_data_incomplete';
  return isAddressComplete(address) ? null : 'invoice_address_incomplete';
}
