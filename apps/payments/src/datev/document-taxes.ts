import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import type { TaxedAmount } from '../domain/corrections/write-off.js';
import type { DocumentTax } from '../domain/datev/tax-accounts.js';
import { writeOffOf } from '../domain/ledger/postings.js';
import type { TransferRow } from '../ledger/index.js';
import { documentTaxes } from './document-tax.row.js';

type FinalizedDocument = EventOf<typeof invoiceFinalizingV1>['payload'];
type TaxOfDocument = NonNullable<FinalizedDocument['taxes']>[number];

const DOCUMENT = /^(document|write-off):([0-9a-f-]{36})(:|$)/;

/** Of which of several write-offs it is a part; absent: of the first. */
type WrittenOff = DocumentTax & { readonly further?: string };

/** Keeps what finalized documents charge by VAT category and rate. */
export async function keepDocumentTaxes(tx: TenantTx, documents: readonly FinalizedDocument[]): Promise<void> {
  const known = documents.flatMap(({ invoiceId, taxes }) => (taxes?.length ? [{ invoiceId, taxes }] : []));
  if (known.length === 0) return;
  await documentTaxes.insertMissing(
    tx,
    known.map(({ invoiceId, taxes }) => ({ invoiceId, taxes: taxes.map(documentTax), bookedAt: tx.now })),
  );
}

const documentTax = ({ netAmount, taxAmount, ...kind }: TaxOfDocument): DocumentTax => ({
  ...kind,
  netMinor: netAmount.amount,
  taxMinor: taxAmount.amount,
});

/** Keeps what of an invoice was given up by VAT category and rate, each time. */
export async function keepWrittenOff(
  tx: TenantTx,
  invoiceId: string,
  taxes: readonly TaxedAmount[],
  further: string | null,
): Promise<void> {
  if (taxes.length === 0) return;
  await tx.query(
    `INSERT INTO document_tax AS d (tenant_id, invoice_id, taxes, booked_at, written_off, written_off_at)
     VALUES ($1, $2, '[]', $4, $3, $4)
     ON CONFLICT (tenant_id, invoice_id) DO UPDATE
       SET written_off = coalesce(d.written_off, '[]') || excluded.written_off, written_off_at = excluded.written_off_at`,
    [
      tx.tenantId,
      invoiceId,
      JSON.stringify(
        taxes.map((tax) => ({
          ...tax,
          netMinor: Number(tax.netMinor),
          taxMinor: Number(tax.taxMinor),
          ...(further !== null && { further }),
        })),
      ),
      tx.now,
    ],
  );
}

/** Taxes of the documents in a page of bookings, by operation. */
export async function findDocumentTaxes(
  tx: TenantTx,
  rows: readonly TransferRow[],
): Promise<Map<string, readonly DocumentTax[]>> {
  const ids = [...new Set(rows.flatMap(({ operation }) => DOCUMENT.exec(operation)?.[2] ?? []))];
  if (ids.length === 0) return new Map();
  const found = await tx.query<{ id: string; taxes: DocumentTax[]; writtenOff: WrittenOff[] | null }>(
    `SELECT invoice_id AS id, taxes, written_off AS "writtenOff" FROM document_tax
     WHERE tenant_id = $1 AND invoice_id = ANY($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return new Map(
    found.flatMap(({ id, taxes, writtenOff }): [string, DocumentTax[]][] => [
      [`document:${id}`, taxes],
      ...Map.groupBy(writtenOff ?? [], ({ further }) => writeOffOf(id, further ?? null)),
    ]),
  );
}

/** How many lines more than transfers a batch of a span may have. */
export async function countTaxSplits(
  tx: TenantTx,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<number> {
  const rows = await tx.query<{ n: bigint }>(
    `SELECT coalesce(sum(2 * (jsonb_array_length(taxes) - 1)), 0)::bigint AS n FROM document_tax
     WHERE tenant_id = $1 AND booked_at >= $2 AND booked_at < $3 AND jsonb_array_length(taxes) > 1
     UNION ALL
     SELECT coalesce(sum(jsonb_array_length(written_off) - 1), 0)::bigint FROM document_tax
     WHERE tenant_id = $1 AND written_off_at >= $2 AND written_off_at < $3`,
    [tx.tenantId, from, to],
  );
  return rows.reduce((sum, { n }) => sum + Number(n), 0);
}
