import type { DocumentType } from '../invoices/invoice.js';

export const DUNNING_TYPES = ['reminder', 'dunning'] as const;
/** A friendly reminder, or a letter that puts into default. */
export type DunningType = (typeof DUNNING_TYPES)[number];

/** How far an invoice has come. */
export const DUNNING_STATUSES = ['reminder', 'dunning', 'none'] as const;
export type DunningStatus = (typeof DUNNING_STATUSES)[number];

/** An invoice that nobody is reminded of, or not any more. */
export const NOT_DUNNED = { dunningLevel: 0, dunningStatus: 'none' } as const;

export const DUNNING_DOCUMENT_STATUSES = ['open', 'cancelled', 'paid'] as const;
export type DunningDocumentStatus = (typeof DUNNING_DOCUMENT_STATUSES)[number];

/** What a reminder or dunning letter claims, as its own row remembers it. */
export interface DunningNotice {
  readonly level: number;
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  /** Open amount and fees, minor units. */
  readonly claimMinor: number;
  /** The invoice's file, where it goes with the mail. */
  readonly original: { readonly mediaId: string; readonly fileName: string; readonly mimeType: string } | null;
}

export const documentTypeOf = (type: DunningType): DocumentType =>
  type === 'reminder' ? 'TYPE_REMINDER' : 'TYPE_DUNNING';

/** True for reminders and dunning letters. */
export const isDunningType = (type: DocumentType): boolean => type === 'TYPE_REMINDER' || type === 'TYPE_DUNNING';
