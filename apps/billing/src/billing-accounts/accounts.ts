import type { Day } from '@kontor/kernel';
import { cancelDueMany, type DueWork, scheduleDueMany, type TenantTx } from '@kontor/persistence';
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

/**
 * The earliest due day of an account's items; when none falls due any more, corrections of usage are billed by
 * themselves.
 */
export const dueOnSql = (customerId: string): string =>
  `coalesce(
    (SELECT min(i.next_due_on) FROM subscription_item i
     WHERE i.tenant_id = $1 AND i.customer_id = ${customerId} AND i.next_due_on IS NOT NULL),
    (SELECT min(u.marked_on) FROM usage_correction u
     JOIN charge line ON line.tenant_id = u.tenant_id AND line.closing_id = u.closing_id
     WHERE u.tenant_id = $1 AND u.customer_id = ${customerId}))`;

/** Hours to wait when usage is billed on the account's due day: the customer's, else the tenant's setting. */
const GRACE_HOURS = `CASE WHEN EXISTS (
    SELECT 1 FROM subscription_item i
    WHERE i.tenant_id = $1 AND i.customer_id = a.customer_id AND i.next_due_on = a.due_on AND i.next_due_metered)
  THEN coalesce(
    (SELECT (c.settings->>'usageGraceHours')::int FROM customer c
     WHERE c.tenant_id = $1 AND c.id = a.customer_id),
    (SELECT (s.values->>'usageGraceHours')::int FROM billing_settings s WHERE s.tenant_id = $1),
    ${DEFAULT_SETTINGS.usageGraceHours})
  ELSE 0 END`;

/**
 * Sets each account to the earliest due day of its items, in one statement, and raises its version: a run that has
 * rated it from what was there before starts over. Lock the accounts before.
 */
export const refreshAccounts = (tx: TenantTx, customerIds: readonly string[]): Promise<Account[]> =>
  tx.query<Account>(
    `INSERT INTO billing_account AS a (tenant_id, customer_id, due_on)
     SELECT $1, c.id, ${dueOnSql('c.id')}
     FROM customer c
     WHERE c.tenant_id = $1 AND c.id = ANY($2::uuid[])
     ORDER BY c.id
     ON CONFLICT (tenant_id, customer_id) DO UPDATE SET due_on = excluded.due_on, version = a.version + 1
     RETURNING a.customer_id AS "customerId", a.due_on AS "dueOn", a.requested_run_id IS NOT NULL AS "isRequested",
       (SELECT c.time_zone FROM customer c WHERE c.tenant_id = $1 AND c.id = a.customer_id) AS "customerZone",
       ${GRACE_HOURS} AS "graceHours"`,
    [tx.tenantId, customerIds],
  );

export interface BilledAccount {
  readonly customerId: string;
  /** Batches that it got. */
  readonly batches: number;
  /** Not claimed itself, but billed with one that was: a run that was requested for it still waits for it. */
  readonly claimed: boolean;
}

/** What a run leaves behind on locked accounts: the next due day, the count of batches, no request any more. */
export const settleAccounts = (
  tx: TenantTx,
  billed: readonly BilledAccount[],
): Promise<Pick<Account, 'customerId' | 'dueOn' | 'graceHours'>[]> =>
  tx.query(
    `UPDATE billing_account a
     SET version = a.version + 1, charges_seq = a.charges_seq + x.batches,
       requested_run_id = CASE WHEN x.claimed THEN NULL ELSE a.requested_run_id END,
       requested_date = CASE WHEN x.claimed THEN NULL ELSE a.requested_date END, due_on = ${dueOnSql('a.customer_id')}
     FROM unnest($2::uuid[], $3::int[], $4::boolean[]) AS x (customer_id, batches, claimed)
     WHERE a.tenant_id = $1 AND a.customer_id = x.customer_id
     RETURNING a.customer_id AS "customerId", a.due_on AS "dueOn", ${GRACE_HOURS} AS "graceHours"`,
    [
      tx.tenantId,
      billed.map(({ customerId }) => customerId),
      billed.map(({ batches }) => batches),
      billed.map(({ claimed }) => claimed),
    ],
  );

/** Brings accounts and their due work in line with the items after a change of subscriptions. */
export async function rescheduleAccounts(
  tx: TenantTx,
  customerIds: readonly string[],
  tenantZone: string,
): Promise<void> {
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
  await cancelDueMany(tx, ACCOUNT_DUE, idle);
  await scheduleDueMany(tx, works);
}
