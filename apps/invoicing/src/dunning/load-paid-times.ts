import type { Tx } from '@kontor/kernel';

/** Since when an invoice was paid, and when it was open again. */
export interface PaidTime {
  readonly paidAt: Date;
  readonly openAt: Date;
}

/** When these invoices were paid and their payments had not gone back yet, in order. */
export async function loadPaidTimes(tx: Tx, invoiceIds: readonly string[]): Promise<Map<string, PaidTime[]>> {
  const rows = await tx.query<PaidTime & { invoiceId: string }>(
    `SELECT p.invoice_id AS "invoiceId", p.at AS "paidAt", u.at AS "openAt"
     FROM invoice_history p
     CROSS JOIN LATERAL (
       SELECT x.at FROM invoice_history x WHERE x.tenant_id = $1 AND x.invoice_id = p.invoice_id
         AND x.version > p.version AND x.type = 'invoice.unpaid' ORDER BY x.version LIMIT 1) u
     WHERE p.tenant_id = $1 AND p.invoice_id = ANY ($2::uuid[]) AND p.type = 'invoice.paid'
     ORDER BY p.invoice_id, p.version`,
    [tx.tenantId, invoiceIds],
  );
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId);
}
