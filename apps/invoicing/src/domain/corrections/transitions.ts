import { DomainError, invalidTransition } from '@kontor/kernel';
import { type DocumentType, type Invoice, type InvoiceStatus, isOpenAgain } from '../invoices/invoice.js';

const FROM = {
  cancel: ['STATUS_UNPAID', 'STATUS_PAID'],
  credit: ['STATUS_UNPAID', 'STATUS_PAID'],
  close: ['STATUS_UNPAID'],
} as const satisfies Record<string, readonly InvoiceStatus[]>;

/** A credit note is taken back by a cancellation only. */
const TYPES = {
  cancel: ['TYPE_INVOICE', 'TYPE_CREDIT'],
  credit: ['TYPE_INVOICE'],
  close: ['TYPE_INVOICE'],
} as const satisfies Record<string, readonly DocumentType[]>;

/**
 * Checks that a document can be cancelled, credited or closed.
 * @throws DomainError `invalid_document_type`, `invalid_status_transition`.
 * @see docs/rules/invoices.md#transitions
 */
export function mustAllow(action: keyof typeof FROM, invoice: Pick<Invoice, 'type' | 'status'>): void {
  const types: readonly DocumentType[] = TYPES[action];
  if (!types.includes(invoice.type))
    throw new DomainError('invalid_document_type', {
      detail: `"${action}" is possible for ${types.join(' and ')} only; this document is ${invoice.type}.`,
    });
  if (!(FROM[action] as readonly InvoiceStatus[]).includes(invoice.status))
    throw invalidTransition('document', invoice.status, action);
}

/**
 * Checks that an invoice can be closed: also one that was closed or cancelled, where a payment that went back has opened something of
 * it since.
 * @throws DomainError as {@link mustAllow}.
 */
export function mustAllowClosing(invoice: Pick<Invoice, 'type' | 'status' | 'unpaidMinor'>): void {
  if (invoice.type !== 'TYPE_INVOICE' || !isOpenAgain(invoice)) mustAllow('close', invoice);
}

/**
 * Checks that a credit note can be taken back: what it is about must still stand, else what ended that (a cancellation of
 * the rest, a refund of it, its being given up) has counted on the credit.
 * @throws DomainError `invalid_status_transition`.
 */
export function mustStand(invoices: readonly Pick<Invoice, 'number' | 'status'>[]): void {
  const ended = invoices.find(({ status }) => !(FROM.cancel as readonly InvoiceStatus[]).includes(status));
  if (ended)
    throw new DomainError('invalid_status_transition', {
      detail: `The credit note cannot be cancelled: ${ended.number}, which it credits, is ${ended.status}.`,
    });
}
