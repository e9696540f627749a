import type { Invoice } from '../invoices/invoice.js';
import { localDay } from '../invoices/local-day.js';
import type { SnapshotClaim } from './document-snapshot.js';

/** What a reminder or dunning letter claims; minor units. */
export interface FrozenClaim {
  readonly level: number;
  readonly letter: number;
  readonly invoice: Pick<Invoice, 'number' | 'finalizedAt' | 'dueAt' | 'grossMinor'>;
  readonly openMinor: bigint;
  readonly earlierFeesMinor: bigint;
  readonly earlierNumbers: readonly string[];
  readonly claimMinor: bigint;
}

export function snapshotClaim(claim: FrozenClaim, zone: string): SnapshotClaim {
  const { invoice, level, letter, openMinor, earlierFeesMinor, claimMinor } = claim;
  return {
    level,
    letter,
    invoiceNumber: invoice.number ?? '',
    invoiceDate: invoice.finalizedAt ? localDay(invoice.finalizedAt, zone) : '',
    invoiceDueDate: invoice.dueAt && localDay(invoice.dueAt, zone),
    invoiceGrossAmount: Number(invoice.grossMinor),
    openAmount: Number(openMinor),
    earlierFeesAmount: Number(earlierFeesMinor),
    claimAmount: Number(claimMinor),
  };
}
