import type { Tx } from '@kontor/kernel';
import { InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { statusAfterRefunds } from '../domain/refunds/status-after-refunds.js';
import type { InvoiceChange } from '../invoices/record-changes.js';
import { loadTakenBack, NOTHING_TAKEN } from './load-taken-back.js';

/**
 * Invoices whose refunds have just been paid out, or have failed later: `STATUS_REFUNDED` when all that was paid is
 * refunded, `STATUS_PAID` again when a refund failed. The caller has locked the invoices and records the changes.
 */
export async function followRefunds(
  tx: Tx,
  refunds: readonly InvoiceRow[],
  invoices: ReadonlyMap<string, InvoiceRow>,
): Promise<InvoiceChange[]> {
  const ids = [...new Set(refunds.map((refund) => refund.referencedInvoiceId).filter((id) => id !== null))];
  if (ids.length === 0) return [];
  const taken = await loadTakenBack(
    tx,
    ids.flatMap((id) => invoices.get(id) ?? []),
  );
  const changes: InvoiceChange[] = [];
  for (const id of ids) {
    const invoice = invoices.get(id);
    if (!invoice) continue;
    const status = statusAfterRefunds(invoice, taken.get(id) ?? NOTHING_TAKEN);
    const isPaidOut = refunds.some((refund) => refund.referencedInvoiceId === id && refund.status === 'STATUS_PAID');
    if (status === null && !isPaidOut) continue;
    if (status !== null) invoice.status = status;
    invoice.version += 1;
    changes.push({
      invoice: Object.assign(new InvoiceRow(), invoice),
      notices: [isPaidOut ? 'invoice.refunded' : 'invoice.updated'],
    });
  }
  await invoiceTable.update(
    tx,
    changes.map((change) => change.invoice),
    ['version', 'status'],
  );
  return changes;
}
