import type { TenantTx } from '@kontor/persistence';
import type { PositionRow } from '../db/position.row.js';
import { type Correction, type Rest, restOf } from '../domain/corrections/rest.js';
import { positionsOf } from '../invoices/invoice-rows.js';

/** An invoice's positions, and what of each has been neither credited nor refunded. Its row is locked. */
export async function loadRest(
  tx: TenantTx,
  invoiceId: string,
): Promise<{ readonly positions: PositionRow[]; readonly rests: Rest[] }> {
  const positions = await positionsOf(tx, invoiceId);
  const corrections = await tx.query<Correction>(
    `SELECT p.net_minor AS "netMinor", p.discount_minor AS "discountMinor", p.tax_minor AS "taxMinor",
            p.tax_category AS "taxCategory", p.tax_rate AS "taxRate", p.tax_note_key AS "taxNoteKey",
            p.corrected_position_id AS "correctedPositionId", p.corrected_quantity AS "correctedQuantity"
     FROM invoice i
     JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id
     WHERE i.tenant_id = $1 AND i.referenced_invoice_id = $2
       AND i.type IN ('TYPE_CREDIT', 'TYPE_REFUND') AND i.number IS NOT NULL
       AND (p.corrected_position_id IS NOT NULL OR p.original_charge_id IS NULL)
     UNION ALL
     -- Money for unused time: its lines name the charge. One that was itself cancelled is undone by its mirror.
     SELECT p.net_minor, p.discount_minor, p.tax_minor, p.tax_category, p.tax_rate, p.tax_note_key, o.id, NULL
     FROM invoice x
     JOIN invoice_position o ON o.tenant_id = $1 AND o.invoice_id = x.id
     JOIN invoice_position p ON p.tenant_id = $1 AND p.original_charge_id = o.charge_id
       AND p.corrected_position_id IS DISTINCT FROM o.id
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NOT NULL
       AND i.currency_code = x.currency_code
     WHERE x.tenant_id = $1 AND x.id = $2
       AND (sign(p.net_minor) = -sign(o.net_minor)) = (i.type <> 'TYPE_CANCEL')`,
    [tx.tenantId, invoiceId],
  );
  return { positions, rests: restOf(positions, corrections) };
}
