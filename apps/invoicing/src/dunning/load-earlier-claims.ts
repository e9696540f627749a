import type { Tx } from '@kontor/kernel';
import type { EarlierClaims } from '../domain/dunning/claim.js';

/** What documents about these invoices have claimed so far, cancelled ones left out. */
export async function loadEarlierClaims(tx: Tx, invoiceIds: readonly string[]): Promise<Map<string, EarlierClaims>> {
  const rows = await tx.query<EarlierClaims & { invoiceId: string }>(
    `SELECT d.invoice_id AS "invoiceId",
            coalesce(sum(f.unpaid_minor) FILTER (WHERE f.unpaid_minor > 0), 0)::bigint AS "openFeesMinor",
            coalesce(array_agg(f.number ORDER BY f.id) FILTER (WHERE f.unpaid_minor > 0), '{}') AS "openFeeNumbers",
            bool_or(d.lump_sum_minor > 0) AS "hasLumpSum",
            max(d.interest_to) AS "interestTo",
            (count(*) FILTER (WHERE d.type = 'dunning'))::int AS letters,
            min(d.document_day) AS "firstDay"
     FROM unnest($2::uuid[]) AS k (id)
     CROSS JOIN LATERAL (
       SELECT * FROM dunning_document x WHERE x.tenant_id = $1 AND x.invoice_id = k.id AND x.status <> 'cancelled' OFFSET 0) d
     CROSS JOIN LATERAL (SELECT x.id, x.number, x.unpaid_minor FROM invoice x WHERE x.tenant_id = $1 AND x.id = d.id OFFSET 0) f
     GROUP BY d.invoice_id`,
    [tx.tenantId, invoiceIds],
  );
  return new Map(rows.map(({ invoiceId, ...claims }) => [invoiceId, claims]));
}
