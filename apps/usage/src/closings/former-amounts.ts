import type { TenantTx } from '@kontor/persistence';
import type { UsageClosingRow } from './usage-closing.row.js';

/** What periods were closed with the last time, by the ids of the closings that follow; those that were never closed before are missing. */
export async function formerAmounts(
  tx: TenantTx,
  closings: readonly UsageClosingRow[],
): Promise<Map<string, Pick<UsageClosingRow, 'value' | 'groups'>>> {
  if (closings.length === 0) return new Map();
  const rows = await tx.query<Pick<UsageClosingRow, 'id' | 'value' | 'groups'>>(
    `SELECT DISTINCT ON (c.id) c.id, f.value, f.groups
     FROM usage_closing c
     JOIN usage_closing f ON f.tenant_id = c.tenant_id AND f.item_id = c.item_id AND f.from_at = c.from_at
       AND f.to_at = c.to_at AND f.metric_id = c.metric_id AND f.group_by = c.group_by AND f.value IS NOT NULL
     WHERE c.tenant_id = $1 AND c.id = ANY($2::uuid[]) AND f.id <> c.id
     ORDER BY c.id, f.created_at DESC, f.id`,
    [tx.tenantId, closings.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, value, groups }) => [id, { value, groups }]));
}
