import { DomainError, invalidTransition } from '@kontor/kernel';

export const DOCUMENT_TYPES = [
  'TYPE_INVOICE',
  'TYPE_CREDIT',
  'TYPE_REFUND',
  'TYPE_REMINDER',
  'TYPE_CANCEL',
  'TYPE_DUNNING',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const INVOICE_STATUSES = [
  'STATUS_DRAFT',
  'STATUS_PAID',
  'STATUS_CANCELLED',
  'STATUS_CLOSED',
  'STATUS_REFUNDED',
  'STATUS_REMINDED',
  'STATUS_UNPAID',
  'STATUS_NEW',
  'STATUS_FINALIZING',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
export const E_INVOICE_TYPES = ['factorx', 'zugferd211'] as const;
export type EInvoiceType = (typeof E_INVOICE_TYPES)[number];
export type SourceType = 'cart' | 'subscription' | 'manual';

/** Why a document that should have been finalized is still a draft; retried daily and when the cause changes. */
export type BlockedReason =
  | 'seller_data_incomplete'
  | 'invoice_address_incomplete'
  | 'exchange_rate_missing'
  | 'tax_rate_missing'
  | 'customer_missing'
  | 'amount_out_of_range'
  | 'e_invoice_invalid'
  | 'number_taken';

/**
 * A document and its projection of the payment intent. Amounts are minor units of `currencyCode`; those of credit
 * documents are negative. `version` counts the events of the document.
 */
export interface Invoice {
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
  readonly type: DocumentType;
  readonly number: string | null;
  readonly status: InvoiceStatus;
  readonly sourceType: SourceType;
  readonly customerId: string;
  readonly currencyCode: string;
  readonly language: 'de' | 'en';
  readonly createdAt: Date;
  readonly finalizedAt: Date | null;
  /** As asked for on the draft; from finalization on the last instant of the due day. */
  readonly dueAt: Date | null;
  readonly payDate: Date | null;
  readonly title: string | null;
  readonly introduction: string | null;
  readonly closing: string | null;
  readonly internalNote: string | null;
  readonly customFields: Readonly<Record<string, string>> | null;
  /** The method named for this document; null: the customer's default. */
  readonly paymentMethodId: string | null;
  /** The address named for this document; null: the customer's default. */
  readonly invoiceAddressId: string | null;
  /** Frozen copy, from finalization on. */
  readonly invoiceAddress: Record<string, unknown> | null;
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  readonly taxMinor: bigint;
  readonly grossMinor: bigint;
  readonly unpaidMinor: bigint;
  readonly serviceFrom: Date | null;
  /** An instant of the last included day. */
  readonly serviceLast: Date | null;
  readonly exchangeRates: readonly AppliedRate[];
  readonly mediaId: string | null;
  /** As asked for on the draft; from finalization on null means that the document is no e-invoice. */
  readonly eInvoiceType: EInvoiceType | null;
  /** The address of a German authority. */
  readonly leitwegId: string | null;
  readonly xmlMediaId: string | null;
  readonly referencedInvoiceId: string | null;
  /** Of an automatic credit: all documents whose lines it credits. */
  readonly referencedInvoices: readonly ReferencedInvoice[] | null;
  readonly intentId: string | null;
  readonly intentVersion: number;
  readonly intentStatus: string | null;
  readonly waitsForPayer: boolean;
  readonly intentAmountMinor: bigint | null;
  readonly intentOpenMinor: bigint | null;
  /** Where the lines came from: run, due day and what splits the documents of one day. Null for manual ones. */
  readonly runId: string | null;
  readonly billingDay: string | null;
  readonly groupingKey: string | null;
  readonly blockedReason: BlockedReason | null;
  /** The document that cancels this one. */
  readonly cancellationId: string | null;
}

/** Another document as answers name it. */
export interface ReferencedInvoice {
  readonly id: string;
  readonly number: string;
}

/** A rate that was used to convert positions: units of the destination per unit of the source. */
export interface AppliedRate {
  readonly sourceCurrencyCode: string;
  readonly destinationCurrencyCode: string;
  readonly exchangeRate: string;
  /** Day of the rate, as the start of that day in UTC. */
  readonly exchangeRateDate: string;
}

/** @throws DomainError `invoice_not_draft`. */
export function mustBeDraft(invoice: Pick<Invoice, 'status'>): void {
  if (invoice.status !== 'STATUS_DRAFT') {
    throw new DomainError('invoice_not_draft', {
      detail: `Only drafts can be changed; this document is ${invoice.status}.`,
    });
  }
}

/** @throws DomainError `invalid_status_transition` unless the document is a draft. */
export function mustBeFinalizable(invoice: Pick<Invoice, 'status'>): void {
  if (invoice.status !== 'STATUS_DRAFT') throw invalidTransition('document', invoice.status, 'finalize');
}

/** Whether something of an invoice that was cancelled or closed is open again: a payment of it went back after that. */
export const isOpenAgain = ({ status, unpaidMinor }: Pick<Invoice, 'status' | 'unpaidMinor'>): boolean =>
  (status === 'STATUS_CANCELLED' || status === 'STATUS_CLOSED') && unpaidMinor > 0n;

/** @throws DomainError `invoice_not_unpaid`. */
export function mustBeUnpaid(invoice: Pick<Invoice, 'status' | 'unpaidMinor'>): void {
  if (invoice.status !== 'STATUS_UNPAID' && !isOpenAgain(invoice)) {
    throw new DomainError('invoice_not_unpaid', {
      detail: `Payments can be added to unpaid documents only; this one is ${invoice.status}.`,
    });
  }
}

/** The document type that follows from a total: a negative one is a credit note, never a negative invoice. */
export const typeOfTotal = (grossMinor: bigint): DocumentType => (grossMinor < 0n ? 'TYPE_CREDIT' : 'TYPE_INVOICE');
