import type { Tx } from '@kontor/kernel';

/** Each query gives one row per violation, with what is wrong in `what`. `$1` is the tenant. */
const CHECKS: readonly { readonly rule: string; readonly sql: string }[] = [
  {
    rule: 'a total is the sum of its positions',
    sql: `SELECT i.id::text AS what FROM invoice i
          JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL GROUP BY i.id, i.gross_minor, i.net_minor, i.tax_minor
          HAVING abs(sum(p.gross_minor)) <> abs(i.gross_minor) OR abs(i.net_minor + i.tax_minor) <> abs(i.gross_minor)`,
  },
  {
    rule: 'numbers are unique',
    sql: 'SELECT number AS what FROM invoice WHERE tenant_id = $1 AND number IS NOT NULL GROUP BY number HAVING count(*) > 1',
  },
  {
    rule: 'numbers have no gap: every number taken is on a document',
    sql: `SELECT taken || ' taken, ' || used || ' used' AS what FROM (
            SELECT (SELECT coalesce(sum(next - 1), 0) FROM number_series WHERE tenant_id = $1) AS taken,
                   (SELECT count(*) FROM invoice WHERE tenant_id = $1 AND number IS NOT NULL) AS used) s WHERE taken <> used`,
  },
  {
    rule: 'a finalized document has its number, snapshot and file',
    sql: `SELECT i.id::text AS what FROM invoice i LEFT JOIN document_snapshot s ON s.tenant_id = $1 AND s.invoice_id = i.id
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL AND (i.number IS NULL OR i.media_id IS NULL OR s.invoice_id IS NULL)`,
  },
  {
    rule: 'a finalized document has told of itself',
    sql: `SELECT i.id::text AS what FROM invoice i
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL AND i.created_at > now() - interval '29 days'
            AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = $1 AND o.aggregate_id = i.id::text)`,
  },
];

/** What does not hold of a tenant's documents, one line each; empty when all is well. */
export async function brokenInvariants(tx: Tx): Promise<string[]> {
  const broken: string[] = [];
  for (const { rule, sql } of CHECKS) {
    for (const { what } of await tx.query<{ what: string }>(sql, [tx.tenantId])) broken.push(`${rule}: ${what}`);
  }
  return broken;
}
