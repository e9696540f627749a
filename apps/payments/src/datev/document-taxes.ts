import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import type { DocumentTax } from '../domain/datev/tax-accounts.js';
import type { TransferRow } from '../ledger/api/ledger.read.js';

const DOCUMENT = /^document:([0-9a-f-]{36})$/;

/** Keeps what finalized documents charge by VAT category and rate. */
export async function keepDocumentTaxes(tx: TenantTx, events: readonly EventOf<typeof invoiceFinalizingV1>[]): Promise<void> {
  const known = events.flatMap(({ payload: { invoiceId, taxes } }) => (taxes?.length ? [{ invoiceId, taxes }] : []));
  if (known.length === 0) return;
  const columns = known.map(({ taxes }) =>
    JSON.stringify(
      taxes.map(({ category, rate, netAmount, taxAmount }): DocumentTax => ({ category, rate, netMinor: netAmount.amount, taxMinor: taxAmount.amount })),
    ),
  ); // prettier-ignore
  await tx.query(
    `INSERT INTO document_tax (tenant_id, invoice_id, taxes, booked_at) SELECT $1, x.id, x.taxes, $4 FROM unnest($2::uuid[], $3::jsonb[]) AS x (id, taxes)
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, known.map(({ invoiceId }) => invoiceId), columns, tx.now],
  );
}

/** Taxes of the documents in a page of bookings, by operation. */
export async function findDocumentTaxes(tx: TenantTx, rows: readonly TransferRow[]): Promise<Map<string, readonly DocumentTax[]>> {
  const ids = [...new Set(rows.flatMap(({ operation }) => DOCUMENT.exec(operation)?.[1] ?? []))];
  if (ids.length === 0) return new Map();
  const found = await tx.query<{ id: string; taxes: DocumentTax[] }>(
    'SELECT invoice_id AS id, taxes FROM document_tax WHERE tenant_id = $1 AND invoice_id = ANY($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Map(found.map(({ id, taxes }) => [`document:${id}`, taxes]));
}

/** How many lines more than transfers a batch of a span may have. */
export async function countTaxSplits(tx: TenantTx, { from, to }: { readonly from: Date; readonly to: Date }): Promise<number> {
  const [row] = await tx.query<{ n: bigint }>(
    `SELECT coalesce(sum(2 * (jsonb_array_length(taxes) - 1)), 0)::bigint AS n FROM document_tax
     WHERE tenant_id = $1 AND booked_at >= $2 AND booked_at < $3 AND jsonb_array_length(taxes) > 1`,
    [tx.tenantId, from, to],
  );
  return Number(row?.n ?? 0);
}
