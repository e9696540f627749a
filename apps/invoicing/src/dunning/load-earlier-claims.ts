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
     JOIN dunning_document d ON d.tenant_id = $1 AND d.invoice_id = k.id AND d.status <> 'cancelled'
     JOIN invoice f ON f.tenant_id = $1 AND f.id = d.id
     GROUP BY d.invoice_id`,
    [tx.tenantId, invoiceIds],
  );
  return new Map(rows.map(({ invoiceId, ...claims }) => [invoiceId, claims]));
}
