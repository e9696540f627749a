import type { Tx } from '@kontor/kernel';
import { InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { statusAfterRefunds } from '../domain/refunds/status-after-refunds.js';
import type { InvoiceChange } from '../invoices/record-changes.js';

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
  const taken = await takenBack(tx, ids);
  const changes: InvoiceChange[] = [];
  for (const id of ids) {
    const invoice = invoices.get(id);
    if (!invoice) continue;
    const status = statusAfterRefunds(invoice, taken.get(id) ?? { refundedMinor: 0n, creditedMinor: 0n });
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

/** By invoice: the sums of the refunds that were paid out and of the credit notes. */
async function takenBack(
  tx: Tx,
  invoiceIds: readonly string[],
): Promise<Map<string, { refundedMinor: bigint; creditedMinor: bigint }>> {
  const sums = await tx.query<{ id: string; refundedMinor: bigint; creditedMinor: bigint }>(
    `SELECT referenced_invoice_id AS id,
            coalesce(-sum(gross_minor) FILTER (WHERE type = 'TYPE_REFUND'), 0)::bigint AS "refundedMinor",
            coalesce(-sum(gross_minor) FILTER (WHERE type = 'TYPE_CREDIT'), 0)::bigint AS "creditedMinor"
     FROM invoice
     WHERE tenant_id = $1 AND referenced_invoice_id = ANY($2::uuid[])
       AND (type = 'TYPE_REFUND' AND status = 'STATUS_PAID' OR type = 'TYPE_CREDIT' AND status <> 'STATUS_CANCELLED')
     GROUP BY 1`,
    [tx.tenantId, invoiceIds],
  );
  return new Map(sums.map((sum) => [sum.id, sum]));
}
