import type { Day } from '@kontor/kernel';
import { type DueWork, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { accountDueAt } from '../domain/periods/due-time.js';
import { DEFAULT_SETTINGS } from '../domain/settings/billing-settings.js';

export const ACCOUNT_DUE = 'billing.account';

interface Account {
  readonly customerId: string;
  readonly dueOn: Day | null;
  readonly customerZone: string;
  readonly isRequested: boolean;
  /** Hours that it waits after the due day has begun, because usage is billed then. */
  readonly graceHours: number;
}

/** The earliest due day of an account's items; when none falls due any more, corrections of usage are billed by themselves. */
export const dueOnSql = (customerId: string): string =>
  `coalesce((select min(i.next_due_on) from subscription_item i where i.tenant_id = $1 and i.customer_id = ${customerId} and i.next_due_on is not null),
    (select min(u.marked_on) from usage_correction u join charge line on line.tenant_id = u.tenant_id and line.closing_id = u.closing_id
     where u.tenant_id = $1 and u.customer_id = ${customerId}))`;

const GRACE_HOURS = `case when exists (select 1 from subscription_item i where i.tenant_id = $1 and i.customer_id = a.customer_id
    and i.next_due_on = a.due_on and i.next_due_metered)
  then coalesce((select (c.settings->>'usageGraceHours')::int from customer c where c.tenant_id = $1 and c.id = a.customer_id),
    (select (s.values->>'usageGraceHours')::int from billing_settings s where s.tenant_id = $1), ${DEFAULT_SETTINGS.usageGraceHours})
  else 0 end`;

/**
 * Sets each account to the earliest due day of its items, in one statement, and raises its version: a run that has rated
 * it from what was there before starts over. Lock the accounts before.
 */
export const refreshAccounts = (tx: TenantTx, customerIds: readonly string[]): Promise<Account[]> =>
  tx.query<Account>(
    `insert into billing_account as a (tenant_id, customer_id, due_on)
     select $1, c.id, ${dueOnSql('c.id')}
     from customer c where c.tenant_id = $1 and c.id = any($2::uuid[]) order by c.id
     on conflict (tenant_id, customer_id) do update set due_on = excluded.due_on, version = a.version + 1
     returning a.customer_id as "customerId", a.due_on as "dueOn", a.requested_run_id is not null as "isRequested",
       (select c.time_zone from customer c where c.tenant_id = $1 and c.id = a.customer_id) as "customerZone", ${GRACE_HOURS} as "graceHours"`,
    [tx.tenantId, customerIds],
  );

export interface BilledAccount {
  readonly customerId: string;
  /** Batches that it got. */
  readonly batches: number;
}

/** What a run leaves behind on locked accounts: the next due day, the count of batches, no request any more. */
export const settleAccounts = (
  tx: TenantTx,
  billed: readonly BilledAccount[],
): Promise<Pick<Account, 'customerId' | 'dueOn' | 'graceHours'>[]> =>
  tx.query(
    `update billing_account a set version = a.version + 1, charges_seq = a.charges_seq + x.batches, requested_run_id = null, requested_date = null,
       due_on = ${dueOnSql('a.customer_id')}
     from unnest($2::uuid[], $3::int[]) as x (customer_id, batches) where a.tenant_id = $1 and a.customer_id = x.customer_id
     returning a.customer_id as "customerId", a.due_on as "dueOn", ${GRACE_HOURS} as "graceHours"`,
    [tx.tenantId, billed.map((one) => one.customerId), billed.map((one) => one.batches)],
  );

/** Brings accounts and their due work in line with the items after a change of subscriptions. */
export async function rescheduleAccounts(tx: TenantTx, customerIds: readonly string[], tenantZone: string): Promise<void> {
  const works: DueWork[] = [];
  const idle: string[] = [];
  for (const { customerId, dueOn, customerZone, isRequested, graceHours } of await refreshAccounts(tx, customerIds)) {
    if (isRequested) works.push({ kind: ACCOUNT_DUE, ref: customerId, dueAt: tx.now });
    else if (dueOn === null) idle.push(customerId);
    else
      works.push({
        kind: ACCOUNT_DUE,
        ref: customerId,
        dueAt: accountDueAt(dueOn, tx.now, { tenant: tenantZone, customer: customerZone }, graceHours),
      });
  }
  if (idle.length > 0)
    await tx.query('delete from due_work where tenant_id = $1 and kind = $2 and ref = any($3::text[])', [tx.tenantId, ACCOUNT_DUE, idle]);
  await scheduleDueMany(tx, works);
}
