import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import type { DocumentTax } from '../domain/datev/tax-accounts.js';
import type { TransferRow } from '../ledger/index.js';
import { documentTaxes } from './document-tax.row.js';

type FinalizedDocument = EventOf<typeof invoiceFinalizingV1>['payload'];
type TaxOfDocument = NonNullable<FinalizedDocument['taxes']>[number];

const DOCUMENT = /^document:([0-9a-f-]{36})$/;

/** Keeps what finalized documents charge by VAT category and rate. */
export async function keepDocumentTaxes(tx: TenantTx, documents: readonly FinalizedDocument[]): Promise<void> {
  const known = documents.flatMap(({ invoiceId, taxes }) => (taxes?.length ? [{ invoiceId, taxes }] : []));
  if (known.length === 0) return;
  await documentTaxes.insertMissing(
    tx,
    known.map(({ invoiceId, taxes }) => ({ invoiceId, taxes: taxes.map(documentTax), bookedAt: tx.now })),
  );
}

const documentTax = ({ category, rate, netAmount, taxAmount }: TaxOfDocument): DocumentTax => ({
  category,
  rate,
  netMinor: netAmount.amount,
  taxMinor: taxAmount.amount,
});

/** Taxes of the documents in a page of bookings, by operation. */
export async function findDocumentTaxes(
  tx: TenantTx,
  rows: readonly TransferRow[],
): Promise<Map<string, readonly DocumentTax[]>> {
  const ids = [...new Set(rows.flatMap(({ operation }) => DOCUMENT.exec(operation)?.[1] ?? []))];
  if (ids.length === 0) return new Map();
  const found = await tx.query<{ id: string; taxes: DocumentTax[] }>(
    'SELECT invoice_id AS id, taxes FROM document_tax WHERE tenant_id = $1 AND invoice_id = ANY($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Map(found.map(({ id, taxes }) => [`document:${id}`, taxes]));
}

/** How many lines more than transfers a batch of a span may have. */
export async function countTaxSplits(
  tx: TenantTx,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<number> {
  const [row] = await tx.query<{ n: bigint }>(
    `SELECT coalesce(sum(2 * (jsonb_array_length(taxes) - 1)), 0)::bigint AS n FROM document_tax
     WHERE tenant_id = $1 AND booked_at >= $2 AND booked_at < $3 AND jsonb_array_length(taxes) > 1`,
    [tx.tenantId, from, to],
  );
  return Number(row?.n ?? 0);
}
