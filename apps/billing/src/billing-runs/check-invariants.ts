import type { TenantTx } from '@kontor/persistence';
import { ACCOUNT_DUE, dueOnSql } from '../billing-accounts/accounts.js';

interface Invariant {
  /** Names what breaks it. */
  readonly violation: string;
  /** Counts the violations as `n`. `$1` is the tenant; `$2` the kind of the accounts' due work. */
  readonly sql: string;
}

const INVARIANTS: readonly Invariant[] = [
  {
    violation: 'items paid twice for the same days',
    sql: `
      SELECT count(*)::int AS n
      FROM (
        SELECT c.service_from, lag(c.used_to) OVER w AS paid_to, lag(p.pro_rata) OVER w AS pro_rata
        FROM charge c
        JOIN price_plan p ON p.tenant_id = c.tenant_id AND p.id = c.price_plan_id
        WHERE c.tenant_id = $1 AND c.kind = 'regular' AND c.used_to > c.service_from
        WINDOW w AS (PARTITION BY c.item_id ORDER BY c.service_from, c.revision)) x
      WHERE x.pro_rata AND x.paid_to > x.service_from`,
  },
  {
    violation: 'credits beyond what was billed, or for nothing',
    sql: `
      SELECT count(*)::int AS n FROM charge
      WHERE tenant_id = $1
        AND (used_minor < least(0, net_minor) OR used_minor > greatest(0, net_minor - discount_minor)
          OR (kind <> 'correction' AND (kind = 'credit') <> (net_minor < 0)))`,
  },
  {
    violation: 'billed items whose credits do not leave what is still used',
    sql: `
      SELECT count(*)::int AS n FROM charge c
      WHERE c.tenant_id = $1 AND c.kind = 'regular' AND c.used_to < c.service_to
        AND c.net_minor - c.discount_minor - c.used_minor <> (
          SELECT coalesce(-sum(k.net_minor), 0) FROM charge k
          WHERE k.tenant_id = $1 AND k.item_id = c.item_id AND k.kind = 'credit' AND k.credited_charge_id = c.id)`,
  },
  {
    violation: 'closings that were billed twice',
    sql: `
      SELECT count(*)::int AS n
      FROM (
        SELECT 1 FROM charge
        WHERE tenant_id = $1 AND closing_id IS NOT NULL
        GROUP BY closing_id HAVING count(*) > 1) x
      WHERE TRUE`,
  },
  {
    violation: 'accounts that do not know when they are due',
    sql: `
      SELECT count(*)::int AS n FROM billing_account a
      WHERE a.tenant_id = $1 AND a.due_on IS DISTINCT FROM ${dueOnSql('a.customer_id')}`,
  },
  {
    violation: 'accounts that are due and that no run will claim',
    sql: `
      SELECT count(*)::int AS n FROM billing_account a
      WHERE a.tenant_id = $1 AND (a.due_on IS NOT NULL OR a.requested_run_id IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM due_items($1, $2) d WHERE d.ref = a.customer_id::text)`,
  },
  {
    violation: 'runs that count their open batches wrongly',
    sql: `
      SELECT count(*)::int AS n FROM billing_run r
      WHERE r.tenant_id = $1 AND r.batches_open <> (
        SELECT count(*) FROM charge_batch b
        WHERE b.tenant_id = $1 AND b.run_id = r.id AND b.settled_at IS NULL)`,
  },
];

/** A line for each invariant of billing's data that does not hold. */
export async function brokenInvariants(tx: TenantTx): Promise<string[]> {
  const broken: string[] = [];
  for (const { violation, sql } of INVARIANTS) {
    const [row] = await tx.query<{ n: number }>(`${sql} AND $2::text IS NOT NULL`, [tx.tenantId, ACCOUNT_DUE]);
    if (row && row.n > 0) broken.push(`${row.n} × ${violation}`);
  }
  return broken;
}
