import type { TenantTx } from '@kontor/persistence';
import type { PaidStanding, ReturningDocument, Standing } from '../domain/refunds/left-to-return.js';

/** By invoice: what money and credit have paid of it, and what its documents have returned. */
export async function loadStandings(tx: TenantTx, invoiceIds: readonly string[]): Promise<Map<string, PaidStanding>> {
  if (invoiceIds.length === 0) return new Map();
  const paid = await tx.query<Omit<PaidStanding, 'documents'>>(
    `SELECT i.invoice_id AS "invoiceId", i.id AS "intentId", i.credit_applied_minor AS credit,
       i.amount_minor AS "amountMinor", i.open_minor AS "openMinor",
       coalesce((SELECT sum(a.amount_minor) FROM payment_allocation a WHERE a.tenant_id = $1 AND a.intent_id = i.id
         AND a.kind IN ('payment', 'return', 'payout', 'to_wallet', 'from_wallet')), 0)::bigint AS money
     FROM payment_intent i WHERE i.tenant_id = $1 AND i.invoice_id = ANY ($2::uuid[])`,
    [tx.tenantId, invoiceIds],
  );
  const documents = await tx.query<ReturningDocument & Standing & { invoiceId: string }>(
    `SELECT d.referenced_invoice_id AS "invoiceId", d.id, d.open_minor AS "openMinor", d.pending_minor AS "pendingMinor",
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NOT NULL), 0)::bigint AS money,
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NULL), 0)::bigint AS credit
     FROM payment_intent d
     LEFT JOIN payment_allocation a ON a.tenant_id = $1 AND a.intent_id = d.id
       AND a.kind IN ('payout', 'to_wallet', 'from_wallet')
     WHERE d.tenant_id = $1 AND d.referenced_invoice_id = ANY ($2::uuid[]) AND d.amount_minor < 0
     GROUP BY d.referenced_invoice_id, d.id, d.open_minor, d.pending_minor`,
    [tx.tenantId, invoiceIds],
  );
  const byInvoice = Map.groupBy(documents, ({ invoiceId }) => invoiceId);
  return new Map(paid.map((row) => [row.invoiceId, { ...row, documents: byInvoice.get(row.invoiceId) ?? [] }]));
}
