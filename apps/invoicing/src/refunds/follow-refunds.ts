import type { Tx } from '@kontor/kernel';
import { updateRows } from '@kontor/persistence';
import { InvoiceRow } from '../db/invoice.row.js';
import type { InvoiceChange } from '../invoices/record-changes.js';

interface RefundedRow {
  readonly id: string;
  readonly refunded: bigint;
}

/**
 * Invoices whose refunds have just gone out, or have come back: `STATUS_REFUNDED` when all that was paid was given back,
 * `STATUS_PAID` again when a refund failed later. The invoices' rows are locked by the caller; gives the changes to tell.
 */
export async function followRefunds(tx: Tx, moved: readonly InvoiceRow[], rows: ReadonlyMap<string, InvoiceRow>): Promise<InvoiceChange[]> {
  const ids = [...new Set(moved.map((refund) => refund.referencedInvoiceId).filter((id) => id !== null))];
  if (ids.length === 0) return [];
  const sums = await tx.query<RefundedRow>(
    `select referenced_invoice_id as id, (-sum(gross_minor))::bigint as refunded from invoice
     where tenant_id = $1 and referenced_invoice_id = any($2::uuid[]) and type = 'TYPE_REFUND' and status = 'STATUS_PAID' group by 1`,
    [tx.tenantId, ids],
  );
  const refunded = new Map(sums.map((row) => [row.id, row.refunded]));
  const changes: InvoiceChange[] = [];
  for (const id of ids) {
    const invoice = rows.get(id);
    if (!invoice) continue;
    const paidMinor = invoice.grossMinor - invoice.unpaidMinor;
    const refundedMinor = refunded.get(id) ?? 0n;
    const all = paidMinor > 0n && refundedMinor >= paidMinor;
    const hasGone = moved.some((refund) => refund.referencedInvoiceId === id && refund.status === 'STATUS_PAID');
    const status =
      all && invoice.status === 'STATUS_PAID' ? 'STATUS_REFUNDED' : !all && invoice.status === 'STATUS_REFUNDED' ? 'STATUS_PAID' : null;
    if (status === null && !hasGone) continue;
    if (status !== null) invoice.status = status;
    invoice.version += 1;
    changes.push({ invoice: Object.assign(new InvoiceRow(), invoice), notices: [hasGone ? 'invoice.refunded' : 'invoice.updated'] });
  }
  await updateRows(
    tx,
    InvoiceRow,
    changes.map((change) => change.invoice),
    ['version', 'status'],
  );
  return changes;
}
