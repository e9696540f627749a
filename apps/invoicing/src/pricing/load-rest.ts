import type { Tx } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { PositionRow } from '../db/position.row.js';
import { type Correction, type Rest, restOf } from '../domain/corrections/rest.js';
import { loadPositions } from '../invoices/invoice-rows.js';

/** An invoice's positions and the lines of other documents that credited or refunded parts of it. */
export interface Corrected {
  readonly positions: PositionRow[];
  readonly corrections: readonly Correction[];
}

/** An invoice's positions, and what of each has been neither credited nor refunded. Its row is locked. */
export async function loadRest(
  tx: TenantTx,
  invoiceId: string,
): Promise<{ readonly positions: PositionRow[]; readonly rests: Rest[] }> {
  const { positions, corrections } = (await loadCorrected(tx, [invoiceId])).get(invoiceId) as Corrected;
  return { positions, rests: restOf(positions, corrections) };
}

/** What is stored about some invoices and what has been taken back of them, by invoice; two statements. */
export async function loadCorrected(tx: Tx, invoiceIds: readonly string[]): Promise<Map<string, Corrected>> {
  const positions = await loadPositions(tx, invoiceIds);
  const found = await tx.query<Correction & { readonly invoiceId: string }>(
    `SELECT i.referenced_invoice_id AS "invoiceId", p.net_minor AS "netMinor", p.discount_minor AS "discountMinor",
            p.tax_minor AS "taxMinor", p.tax_category AS "taxCategory", p.tax_rate AS "taxRate",
            p.tax_note_key AS "taxNoteKey", p.corrected_position_id AS "correctedPositionId",
            p.corrected_quantity AS "correctedQuantity"
     FROM invoice i
     JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id
     WHERE i.tenant_id = $1 AND i.referenced_invoice_id = ANY($2::uuid[])
       AND i.type IN ('TYPE_CREDIT', 'TYPE_REFUND') AND i.number IS NOT NULL AND i.status <> 'STATUS_CANCELLED'
       -- What a credit note charges beside what it credits (another price, from the same day on) takes nothing back.
       AND (p.corrected_position_id IS NOT NULL OR i.type = 'TYPE_REFUND')
     UNION ALL
     -- Money for unused time: its lines name the charge. One that was itself cancelled is undone by its mirror; the mirror
     -- of a credit by hand, which does not count any more, undoes nothing.
     SELECT x.id, p.net_minor, p.discount_minor, p.tax_minor, p.tax_category, p.tax_rate, p.tax_note_key, o.id, NULL
     FROM invoice x
     JOIN invoice_position o ON o.tenant_id = $1 AND o.invoice_id = x.id
     JOIN invoice_position p ON p.tenant_id = $1 AND p.original_charge_id = o.charge_id
       AND p.corrected_position_id IS DISTINCT FROM o.id
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NOT NULL
       AND i.currency_code = x.currency_code
     WHERE x.tenant_id = $1 AND x.id = ANY($2::uuid[])
       AND (sign(p.net_minor) = -sign(o.net_minor)) = (i.type <> 'TYPE_CANCEL')
       AND NOT EXISTS (
         SELECT FROM invoice_position c
         WHERE c.tenant_id = $1 AND c.id = p.corrected_position_id AND c.corrected_position_id IS NOT NULL)`,
    [tx.tenantId, invoiceIds],
  );
  const corrections = Map.groupBy(found, ({ invoiceId }) => invoiceId);
  return new Map(
    invoiceIds.map((id) => [id, { positions: positions.get(id) ?? [], corrections: corrections.get(id) ?? [] }]),
  );
}
