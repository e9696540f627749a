import { chargesSettledV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { chargeBatchTable } from '../db/document.row.js';
import { subscriptionIdsOf } from '../domain/charges/draft-from-charges.js';
import type { PlannedDocument } from './plan-documents.js';

/** Answers billing once for each batch: its document, why that stays a draft, or that there is nothing to document. */
export async function settleCharges(
  tx: Tx,
  planned: readonly PlannedDocument[],
  isKept: (document: PlannedDocument) => boolean,
): Promise<void> {
  const settled = planned.flatMap((document) => {
    const invoice = isKept(document) ? document.draft.invoice : null;
    return document.plan.batches.map((batch) => ({ batch, invoice, subscriptionIds: subscriptionIdsOf(batch.lines) }));
  });
  const rows = settled.map(({ batch, invoice, subscriptionIds }) => {
    const { batchId, runId, customerId } = batch;
    return { batchId, invoiceId: invoice?.id ?? null, runId, customerId, subscriptionIds, createdAt: tx.now };
  });
  await chargeBatchTable.insert(tx, rows);
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
        subscriptionIds,
      },
    })),
  );
}
