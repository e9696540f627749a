import type { Tx } from '@kontor/kernel';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { type BilledDocument, type BilledLine, BilledLines } from '../domain/pricing/billed-lines.js';

interface Unpriced {
  readonly invoice: Pick<InvoiceRow, 'id'>;
  readonly positions: readonly Pick<PositionRow, 'originalChargeId'>[];
}

type Found = Omit<BilledLine, 'document'> & Omit<BilledDocument, 'id'> & { readonly invoiceId: string };

/**
 * The lines of finalized documents that lines of these drafts credit or correct, less what other finalized documents have
 * done so already.
 */
export async function loadBilledLines(tx: Tx, drafts: readonly Unpriced[]): Promise<BilledLines> {
  const chargeIds = new Set(drafts.flatMap(({ positions }) => positions.flatMap((p) => p.originalChargeId ?? [])));
  if (chargeIds.size === 0) return new BilledLines();
  const found = await tx.query<Found>(
    `SELECT p.charge_id AS "chargeId", i.id AS "invoiceId", i.type, i.number, i.finalized_at AS "finalizedAt",
       i.currency_code AS "currencyCode", p.tax_category AS category, p.tax_rate AS rate, p.tax_note_key AS "noteKey",
       p.tax, p.net_minor - p.discount_minor + later.net AS "netMinor", p.tax_minor + later.tax AS "taxMinor"
     FROM unnest($2::uuid[]) AS k (id)
     JOIN invoice_position p ON p.tenant_id = $1 AND p.charge_id = k.id
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NOT NULL
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(c.net_minor - c.discount_minor), 0)::bigint AS net, coalesce(sum(c.tax_minor), 0)::bigint AS tax
       FROM invoice_position c
       JOIN invoice d ON d.tenant_id = $1 AND d.id = c.invoice_id AND d.number IS NOT NULL
         AND d.currency_code = i.currency_code
       WHERE c.tenant_id = $1 AND c.original_charge_id = k.id AND c.invoice_id <> ALL($3::uuid[])) later
     WHERE p.tax_category IS NOT NULL`,
    [tx.tenantId, [...chargeIds], drafts.map(({ invoice }) => invoice.id)],
  );
  const lines = found.map(({ invoiceId, type, number, finalizedAt, ...line }) => ({
    ...line,
    document: { id: invoiceId, type, number, finalizedAt },
  }));
  return new BilledLines(chargeIds, lines);
}
