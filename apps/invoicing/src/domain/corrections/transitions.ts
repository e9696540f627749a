import { DomainError, invalidTransition } from '@kontor/kernel';
import type { Invoice, InvoiceStatus } from '../invoices/invoice.js';

const FROM = {
  cancel: ['STATUS_UNPAID', 'STATUS_PAID'],
  credit: ['STATUS_UNPAID', 'STATUS_PAID'],
  close: ['STATUS_UNPAID'],
} as const satisfies Record<string, readonly InvoiceStatus[]>;

/**
 * Checks that an invoice can be cancelled, credited or closed.
 * @throws DomainError `invalid_document_type`, `invalid_status_transition`.
 * @see docs/rules/invoices.md#transitions
 */
export function mustAllow(action: keyof typeof FROM, invoice: Pick<Invoice, 'type' | 'status'>): void {
  if (invoice.type !== 'TYPE_INVOICE')
    throw new DomainError('invalid_document_type', {
      detail: `"${action}" is possible for invoices only; this document is ${invoice.type}.`,
    });
  if (!(FROM[action] as readonly InvoiceStatus[]).includes(invoice.status))
    throw invalidTransition('document', invoice.status, action);
}
