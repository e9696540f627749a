import { type ChargesDue, chargesSettledV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { InvoiceRow } from '../db/invoice.row.js';

export interface SettledBatch {
  readonly batch: Pick<ChargesDue, 'batchId' | 'runId'>;
  /** Null when there is nothing to document. */
  readonly invoice: Pick<InvoiceRow, 'id' | 'blockedReason'> | null;
  readonly subscriptionIds: readonly string[];
}

/** Answers billing once for each batch: its document, or why that stays a draft. */
export async function settle(tx: Tx, settled: readonly SettledBatch[]): Promise<void> {
  await appendEvents(
    tx,
    chargesSettledV1,
    settled.map(({ batch, invoice, subscriptionIds }) => ({
      aggregateId: batch.batchId,
      aggregateSeq: 1,
      payload: {
        batchId: batch.batchId,
        runId: batch.runId,
        invoiceId: invoice?.id ?? null,
        blockedReason: invoice?.blockedReason ?? null,
        subscriptionIds: [...subscriptionIds],
      },
    })),
  );
}
