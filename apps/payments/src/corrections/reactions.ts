import type { TenantTx } from '@kontor/persistence';
import type { TaxedAmount } from '../domain/corrections/write-off.js';

/** What other rooms do about invoices that are given up, given at composition. */
export abstract class CorrectionReactions {
  /** So much of an invoice was written off, by VAT category and rate; `further`: the id of one that is not the first. */
  abstract writtenOff(
    tx: TenantTx,
    invoiceId: string,
    taxes: readonly TaxedAmount[],
    further: string | null,
  ): Promise<void>;
}
