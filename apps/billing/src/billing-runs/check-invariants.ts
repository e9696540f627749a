import type { Invariant } from '@kontor/service-kit';
import { ACCOUNT_DUE } from '../billing-accounts/accounts.js';

/** What the service promises about a tenant's billing. */
export const INVARIANTS: readonly Invariant[] = [
  {
    rule: 'no item is paid twice for the same days',
    sql: `
      SELECT item_id::text AS what
      FROM (
        SELECT c.item_id, c.service_from, lag(c.used_to) OVER w AS paid_to, lag(p.pro_rata) OVER w AS pro_rata
        FROM charge c
        JOIN price_plan p ON p.tenant_id = c.tenant_id AND p.id = c.price_plan_id
        WHERE c.tenant_id = $1 AND c.kind = 'regular' AND c.used_to > c.service_from
        WINDOW w AS (PARTITION BY c.item_id ORDER BY c.service_from, c.revision)) x
      WHERE x.pro_rata AND x.paid_to > x.service_from`,
  },
  {
    rule: 'a credit stays within what was billed',
    sql: `
      SELECT id::text AS what FROM charge
      WHERE tenant_id = $1
        AND (used_minor < least(0, net_minor) OR used_minor > greatest(0, net_minor - discount_minor)
          OR (kind <> 'correction' AND (kind = 'credit') <> (net_minor < 0)))`,
  },
  {
    rule: 'credits leave what is still used',
    sql: `
      SELECT c.id::text AS what FROM charge c
      LEFT JOIN (
        SELECT item_id, credited_charge_id, -sum(net_minor) AS credited FROM charge
        WHERE tenant_id = $1 AND kind = 'credit'
        GROUP BY item_id, credited_charge_id) k ON k.item_id = c.item_id AND k.credited_charge_id = c.id
      WHERE c.tenant_id = $1 AND c.kind = 'regular' AND c.used_to < c.service_to
        AND c.net_minor - c.discount_minor - c.used_minor <> coalesce(k.credited, 0)`,
  },
  {
    rule: 'a coupon counts its redemptions',
    sql: `
      SELECT c.id::text AS what FROM coupon c
      LEFT JOIN (
        SELECT coupon_id, count(*) AS redeemed FROM coupon_redemption
        WHERE tenant_id = $1
        GROUP BY coupon_id) r ON r.coupon_id = c.id
      WHERE c.tenant_id = $1 AND c.redemptions <> coalesce(r.redeemed, 0)`,
  },
  {
    rule: 'a closing is billed once',
    sql: `
      SELECT closing_id::text AS what FROM charge
      WHERE tenant_id = $1 AND closing_id IS NOT NULL
      GROUP BY closing_id HAVING count(*) > 1`,
  },
  {
    rule: 'an account knows when it is due',
    sql: `
      SELECT a.customer_id::text AS what FROM billing_account a
      LEFT JOIN (
        SELECT customer_id, min(next_due_on) AS due_on FROM subscription_item
        WHERE tenant_id = $1 AND next_due_on IS NOT NULL
        GROUP BY customer_id) i ON i.customer_id = a.customer_id
      LEFT JOIN (
        SELECT u.customer_id, min(u.marked_on) AS due_on FROM usage_correction u
        JOIN charge line ON line.tenant_id = $1 AND line.closing_id = u.closing_id
        WHERE u.tenant_id = $1
        GROUP BY u.customer_id) u ON u.customer_id = a.customer_id
      WHERE a.tenant_id = $1 AND a.due_on IS DISTINCT FROM coalesce(i.due_on, u.due_on)`,
  },
  {
    rule: 'a due account will be claimed by a run',
    sql: `
      SELECT a.customer_id::text AS what FROM billing_account a
      LEFT JOIN due_items($1, '${ACCOUNT_DUE}') d ON d.ref = a.customer_id::text
      WHERE a.tenant_id = $1 AND (a.due_on IS NOT NULL OR a.requested_run_id IS NOT NULL) AND d.ref IS NULL`,
  },
  {
    rule: 'a run counts its open batches and their lines',
    sql: `
      SELECT r.id::text AS what FROM billing_run r
      LEFT JOIN (
        SELECT run_id, count(*) AS open, sum(lines) AS lines FROM charge_batch
        WHERE tenant_id = $1 AND settled_at IS NULL
        GROUP BY run_id) b ON b.run_id = r.id
      WHERE r.tenant_id = $1 AND (r.batches_open <> coalesce(b.open, 0) OR r.lines_open <> coalesce(b.lines, 0))`,
  },
  {
    rule: 'movements of recurring revenue sum to a level',
    sql: `
      SELECT subscription_id::text AS what FROM recurring_movement
      WHERE tenant_id = $1
      GROUP BY subscription_id, currency_code
      HAVING sum(annual_minor) < 0 OR sum(subscriptions) <> CASE WHEN sum(annual_minor) > 0 THEN 1 ELSE 0 END`,
  },
];
