import type { CustomerState, PaymentMethodState } from '@kontor/contracts';
import type { DomainError } from '@kontor/kernel';
import type { TaxSubtotal } from '@kontor/tax';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import type { Claim } from '../domain/dunning/claim.js';
import type { BlockedReason } from '../domain/invoices/invoice.js';
import type { InvoiceAddress } from '../domain/invoices/recipient.js';
import type { BilledDocument } from '../domain/pricing/billed-lines.js';
import type { CreditLimit } from '../domain/pricing/price-document.js';
import type { LoadedParts } from '../invoices/show-invoices.js';
import type { InvoiceContext } from './invoice-context.js';

/** A draft at work: its row, its positions, and what pricing found out about them. */
export interface Draft {
  readonly invoice: InvoiceRow;
  positions: PositionRow[];
  taxes: readonly TaxSubtotal[];
  customer: CustomerState | null;
  address: InvoiceAddress | null;
  /** The method by which the document is paid: the one that it names, else the customer's default. */
  method: PaymentMethodState | null;
  /** Why the draft cannot be finalized; null when nothing is known to stand in the way. */
  obstacle: Obstacle | null;
  /** Its lines that were to credit more than is left of what they credit. */
  limits: readonly CreditLimit[];
  /** The documents that this one is about. */
  referenced?: readonly BilledDocument[];
  /** The VAT id of its recipient that the documents name which it takes back or corrects; null or absent: what the recipient has now. */
  billedVatId?: string | null;
  /** What is to become of money that the customer has paid for what this document takes back. */
  disposition?: Disposition | null;
  /** What its file shows but for the texts, once it has its number. */
  content?: Omit<DocumentSnapshot, 'texts'>;
  /** Of a reminder or dunning letter: what it claims for which invoice. */
  claim?: DunningClaim;
}

export interface DunningClaim extends Claim {
  readonly level: number;
  /** Of a dunning letter: which one it is, reminders not counted. */
  readonly letter: number;
  readonly invoice: Pick<InvoiceRow, 'number' | 'finalizedAt' | 'dueAt' | 'grossMinor'>;
}

/** `wallet`: credit; `refund`: back the way it came; `none`: it stays owed to the customer. */
export const DISPOSITIONS = ['wallet', 'refund', 'none'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/**
 * Why a draft cannot be finalized: it cannot be priced, the data of seller or recipient are incomplete, or the rules of
 * e-invoices refuse it.
 */
export interface Obstacle {
  readonly step: 'price' | 'parties' | 'e_invoice' | 'number';
  readonly reason: BlockedReason;
  /** For a caller who finalizes a single document. */
  readonly error: DomainError;
}

export const newDraft = (invoice: InvoiceRow, positions: PositionRow[]): Draft => ({
  invoice,
  positions,
  taxes: [],
  customer: null,
  address: null,
  method: null,
  obstacle: null,
  limits: [],
});

/** What showing these drafts need not read again: their positions, and the context in which they were priced. */
export const partsOf = (drafts: readonly Draft[], context?: InvoiceContext): LoadedParts => ({
  positions: new Map(drafts.map((draft) => [draft.invoice.id, draft.positions])),
  customers: context?.customers,
  taxGroups: context?.taxGroups,
});
