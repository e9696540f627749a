import type { CustomerState } from '@kontor/contracts';
import type { Day } from '@kontor/kernel';
import type { TaxSubtotal } from '@kontor/tax';
import type { AppliedRate, Invoice } from '../invoices/invoice.js';
import type { PricedPosition } from '../invoices/position.js';
import type { InvoiceAddress } from '../invoices/recipient.js';
import type { InvoicingSettings } from '../invoices/settings.js';
import type { SnapshotEInvoice, SnapshotReference } from './document-snapshot.js';
import type { FrozenClaim } from './snapshot-claim.js';

/** What a document's snapshot is made of. */
export interface SnapshotInput {
  readonly invoice: Pick<
    Invoice,
    | 'type'
    | 'number'
    | 'language'
    | 'currencyCode'
    | 'netMinor'
    | 'discountMinor'
    | 'taxMinor'
    | 'grossMinor'
    | 'dueAt'
    | 'payDate'
    | 'eInvoiceType'
    | 'leitwegId'
  >;
  readonly draft: boolean;
  readonly day: Day;
  readonly positions: readonly PricedPosition[];
  readonly taxes: readonly TaxSubtotal[];
  readonly exchangeRates: readonly AppliedRate[];
  readonly customer: CustomerState;
  readonly address: InvoiceAddress | null;
  /** The recipient's. */
  readonly vatId: string | null;
  readonly settings: InvoicingSettings;
  /** GET's representation of the method that settles the document; null when none is known. */
  readonly method: Readonly<Record<string, unknown>> | null;
  readonly referenced: readonly SnapshotReference[];
  /** Null: it is issued as no e-invoice. */
  readonly eInvoice: SnapshotEInvoice | null;
  readonly claim?: FrozenClaim | null;
}
