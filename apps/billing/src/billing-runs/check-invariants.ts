import type { TenantTx } from '@kontor/persistence';
import { ACCOUNT_DUE, dueOnSql } from './accounts.js';

interface Pledge {
  readonly says: string;
  /** Counts what breaks it. `$1` is the tenant; `$2` the kind of the accounts' due work. */
  readonly sql: string;
}

const PROMISES: readonly Pledge[] = [
  {
    says: 'items paid twice for the same days',
    sql: `select count(*)::int as n from (
            select c.service_from, lag(c.used_to) over w as paid_to, lag(p.pro_rata) over w as pro_rata
            from charge c join price_plan p on p.tenant_id = c.tenant_id and p.id = c.price_plan_id
            where c.tenant_id = $1 and c.kind = 'regular' and c.used_to > c.service_from
            window w as (partition by c.item_id order by c.service_from, c.revision)) x
          where x.pro_rata and x.paid_to > x.service_from`,
  },
  {
    says: 'credits beyond what was billed, or for nothing',
    sql: `select count(*)::int as n from charge where tenant_id = $1
            and (used_minor < least(0, net_minor) or used_minor > greatest(0, net_minor - discount_minor) or (kind <> 'correction' and (kind = 'credit') <> (net_minor < 0)))`,
  },
  {
    says: 'billed items whose credits do not leave what is still used',
    sql: `select count(*)::int as n from charge c where c.tenant_id = $1 and c.kind = 'regular' and c.used_to < c.service_to
            and c.net_minor - c.discount_minor - c.used_minor <> (select coalesce(-sum(k.net_minor), 0) from charge k
              where k.tenant_id = $1 and k.item_id = c.item_id and k.kind = 'credit' and k.credited_charge_id = c.id)`,
  },
  {
    says: 'closings that were billed twice',
    sql: `select count(*)::int as n from (select 1 from charge where tenant_id = $1 and closing_id is not null group by closing_id having count(*) > 1) x where true`,
  },
  {
    says: 'accounts that do not know when they are due',
    sql: `select count(*)::int as n from billing_account a where a.tenant_id = $1 and a.due_on is distinct from ${dueOnSql('a.customer_id')}`,
  },
  {
    says: 'accounts that are due and that no run will claim',
    sql: `select count(*)::int as n from billing_account a where a.tenant_id = $1 and (a.due_on is not null or a.requested_run_id is not null)
            and not exists (select 1 from due_work d where d.tenant_id = $1 and d.kind = $2 and d.ref = a.customer_id::text)`,
  },
  {
    says: 'runs that count their open batches wrongly',
    sql: `select count(*)::int as n from billing_run r where r.tenant_id = $1 and r.batches_open <> (
            select count(*) from charge_batch b where b.tenant_id = $1 and b.run_id = r.id and b.settled_at is null)`,
  },
];

/** What billing promises about its own data; a line for each promise that is broken. */
export async function brokenInvariants(tx: TenantTx): Promise<string[]> {
  const broken: string[] = [];
  for (const { says, sql } of PROMISES) {
    const [row] = await tx.query<{ n: number }>(`${sql} and $2::text is not null`, [tx.tenantId, ACCOUNT_DUE]);
    if (row && row.n > 0) broken.push(`${row.n} × ${says}`);
  }
  return broken;
}
