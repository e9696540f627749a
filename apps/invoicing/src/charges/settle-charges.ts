import { type ChargesDue, chargesSettledV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { ChargeBatchRow } from '../db/document.row.js';
import { chargeBatchTable } from '../db/document.row.js';
import { subscriptionIdsOf } from '../domain/charges/draft-from-charges.js';
import type { PlannedDocument } from './plan-documents.js';

interface Settled {
  readonly row: Omit<ChargeBatchRow, 'tenantId'>;
  readonly blockedReason: string | null;
}

/** Answers billing once for each batch: its document, why that stays a draft, or that there is nothing to document. */
export async function settleCharges(
  tx: Tx,
  planned: readonly PlannedDocument[],
  isKept: (document: PlannedDocument) => boolean,
): Promise<void> {
  const kept = Map.groupBy(planned.filter(isKept), (document) => document.apartFrom ?? document);
  const settled = planned
    .filter(({ apartFrom }) => !apartFrom)
    .flatMap((document) =>
      document.plan.batches.map((batch) => settle(tx, batch, holdersOf(batch, kept.get(document) ?? []))),
    );
  await chargeBatchTable.insert(
    tx,
    settled.map(({ row }) => row),
  );
  await appendEvents(
    tx,
    chargesSettledV1,
    settled.map(({ row: { batchId, runId, invoiceId, subscriptionIds }, blockedReason }) => ({
      aggregateId: batchId,
      aggregateSeq: 1,
      payload: { batchId, runId, invoiceId, blockedReason, subscriptionIds },
    })),
  );
}

/** Of the documents that were made of some batches, those that have lines of this one. */
function holdersOf(batch: ChargesDue, documents: readonly PlannedDocument[]): readonly PlannedDocument[] {
  if (documents.length < 2) return documents;
  const chargeIds = new Set<string | null>(batch.lines.map(({ chargeId }) => chargeId));
  return documents.filter(({ draft }) => draft.positions.some(({ chargeId }) => chargeIds.has(chargeId)));
}

function settle(tx: Tx, batch: ChargesDue, holders: readonly PlannedDocument[]): Settled {
  const { batchId, runId, customerId, lines } = batch;
  const invoices = holders.map(({ draft }) => draft.invoice);
  const [invoiceId = null, apartInvoiceId = null] = invoices.map(({ id }) => id);
  const subscriptionIds = subscriptionIdsOf(lines);
  const blockedReason = invoices.find((invoice) => invoice.blockedReason !== null)?.blockedReason ?? null;
  return {
    row: { batchId, invoiceId, apartInvoiceId, runId, customerId, subscriptionIds, createdAt: tx.now },
    blockedReason,
  };
}
