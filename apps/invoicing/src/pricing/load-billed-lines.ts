import type { Tx } from '@kontor/kernel';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { afterDiscount, type Rest, restOf } from '../domain/corrections/rest.js';
import type { AppliedRate } from '../domain/invoices/invoice.js';
import { type BilledDocument, type BilledLine, BilledLines, rateOfLine } from '../domain/pricing/billed-lines.js';
import { loadCorrected } from './load-rest.js';

interface Unpriced {
  readonly invoice: Pick<InvoiceRow, 'id'>;
  readonly positions: readonly Pick<PositionRow, 'originalChargeId'>[];
}

type Found = Omit<BilledLine, 'document' | 'added' | 'exchangeRate'> &
  Omit<BilledDocument, 'id'> & {
    readonly invoiceId: string;
    readonly positionId: string;
    readonly later: readonly (Omit<BilledDocument, 'finalizedAt'> & { readonly finalizedAt: string })[];
    readonly priceCurrencyCode: string;
    readonly exchangeRates: readonly AppliedRate[];
  };

const originalsOf = (drafts: readonly Unpriced[]): Set<string> =>
  new Set(drafts.flatMap(({ positions }) => positions.flatMap((position) => position.originalChargeId ?? [])));

/**
 * Locks the documents whose lines these drafts credit, in the order of their ids, as a credit by hand, a refund and a
 * cancellation lock theirs: what is left of a line is decided by one after the other. A credit note is one of them where it
 * has brought the charge itself. Drafts are locked before, number series after them.
 */
export async function lockOriginals(tx: Tx, drafts: readonly Unpriced[]): Promise<void> {
  const chargeIds = originalsOf(drafts);
  if (chargeIds.size === 0) return;
  await tx.query(
    `SELECT id FROM invoice
     WHERE tenant_id = $1 AND number IS NOT NULL
       AND id = ANY(ARRAY(
         SELECT invoice_id FROM invoice_position WHERE tenant_id = $1 AND charge_id = ANY($2::uuid[])
         UNION ALL
         SELECT p.invoice_id
         FROM invoice_position p
         JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.type = 'TYPE_INVOICE'
         WHERE p.tenant_id = $1 AND p.original_charge_id = ANY($2::uuid[])))
     ORDER BY id
     FOR UPDATE`,
    [tx.tenantId, [...chargeIds]],
  );
}

/** The lines that lines of these drafts credit or correct, less what other finalized documents have done so already. */
export async function loadBilledLines(tx: Tx, drafts: readonly Unpriced[]): Promise<BilledLines> {
  const chargeIds = originalsOf(drafts);
  if (chargeIds.size === 0) return new BilledLines();
  const found = await findBilledLines(
    tx,
    chargeIds,
    drafts.map(({ invoice }) => invoice.id),
  );
  return new BilledLines(chargeIds, found);
}

/** The lines of finalized documents that bill some charges, and what finalized documents other than `besides` have left of them. */
export async function findBilledLines(
  tx: Tx,
  chargeIds: ReadonlySet<string>,
  besides: readonly string[] = [],
): Promise<BilledLine[]> {
  const found = await tx.query<Found>(
    `SELECT p.charge_id AS "chargeId", p.id AS "positionId", i.id AS "invoiceId", i.type, i.number, i.finalized_at AS "finalizedAt",
       i.currency_code AS "currencyCode", p.price_currency_code AS "priceCurrencyCode",
       i.exchange_rates AS "exchangeRates", p.tax_category AS category, p.tax_rate AS rate, p.tax_note_key AS "noteKey",
       p.tax, p.net_minor - p.discount_minor AS "billedMinor",
       p.net_minor - p.discount_minor + later.net AS "netMinor", p.tax_minor + later.tax AS "taxMinor", later.added AS later
     FROM unnest($2::uuid[]) AS k (id)
     JOIN invoice_position p ON p.tenant_id = $1 AND p.charge_id = k.id
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NOT NULL
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(c.net_minor - c.discount_minor), 0)::bigint AS net, coalesce(sum(c.tax_minor), 0)::bigint AS tax,
         coalesce(jsonb_agg(DISTINCT jsonb_build_object(
           'id', d.id, 'type', d.type, 'number', d.number, 'finalizedAt', d.finalized_at))
           FILTER (WHERE d.type = 'TYPE_INVOICE' AND sign(c.net_minor) = sign(p.net_minor)), '[]') AS added
       FROM invoice_position c
       JOIN invoice d ON d.tenant_id = $1 AND d.id = c.invoice_id AND d.number IS NOT NULL
         AND d.currency_code = i.currency_code
       WHERE c.tenant_id = $1 AND c.original_charge_id = k.id AND c.invoice_id <> ALL($3::uuid[])) later
     WHERE p.tax_category IS NOT NULL`,
    [tx.tenantId, [...chargeIds], besides],
  );
  const refunded = await refundedOf(tx, found);
  return found.map(
    ({ positionId, invoiceId, type, number, finalizedAt, later, priceCurrencyCode, exchangeRates, ...line }) => {
      const gone = refunded.get(positionId);
      return {
        ...line,
        exchangeRate: rateOfLine(exchangeRates, priceCurrencyCode),
        netMinor: line.netMinor - (gone?.netMinor ?? 0n),
        taxMinor: line.taxMinor - (gone?.taxMinor ?? 0n),
        document: { id: invoiceId, type, number, finalizedAt },
        added: later.map((document) => ({ ...document, finalizedAt: new Date(document.finalizedAt) })),
      };
    },
  );
}

/** By position: what refunds, which name kinds of tax and no lines, have taken of it; net after discount. */
async function refundedOf(
  tx: Tx,
  found: readonly Found[],
): Promise<Map<string, { readonly netMinor: bigint; readonly taxMinor: bigint }>> {
  const invoices = await tx.query<{ id: string }>(
    `SELECT DISTINCT referenced_invoice_id AS id
     FROM invoice
     WHERE tenant_id = $1 AND referenced_invoice_id = ANY($2::uuid[]) AND type = 'TYPE_REFUND' AND number IS NOT NULL`,
    [tx.tenantId, [...new Set(found.map(({ invoiceId }) => invoiceId))]],
  );
  const gone = new Map<string, { netMinor: bigint; taxMinor: bigint }>();
  if (invoices.length === 0) return gone;
  const ids = invoices.map(({ id }) => id);
  for (const { positions, corrections } of (await loadCorrected(tx, ids)).values()) {
    const unrefunded = corrections.filter(({ correctedPositionId }) => correctedPositionId !== null);
    const before = restOf(positions, unrefunded);
    restOf(positions, corrections).forEach((after, index) => {
      const rest = before[index] as Rest;
      gone.set(after.position.id, {
        netMinor: afterDiscount(rest) - afterDiscount(after),
        taxMinor: rest.taxMinor - after.taxMinor,
      });
    });
  }
  return gone;
}
