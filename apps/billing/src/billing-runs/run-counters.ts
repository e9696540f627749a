import { type Day, newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { ACCOUNT_DUE } from './accounts.js';
import type { RatingFailure } from './rate-account.js';

/** What a run did with some of its accounts. */
export interface RunProgress {
  readonly runId: string;
  /** Accounts that were counted as open and are done. */
  readonly accounts: number;
  /** Subscriptions that got a line. */
  readonly billed: readonly string[];
  readonly batches: number;
  readonly failures: readonly Pick<RatingFailure, 'subscriptionId' | 'reason'>[];
}

export interface DailyRun {
  readonly id: string;
  readonly openedAt: Date;
}

/**
 * The day's run of a tenant, begun by whoever first has something to bill; the accounts that are due at that moment count
 * as open. Null when there is none and nothing to begin it for.
 */
export async function dailyRun(tx: TenantTx, date: Day, begins: boolean): Promise<DailyRun | null> {
  const found = await tx.query<DailyRun>(
    `select id, opened_at as "openedAt" from billing_run where tenant_id = $1 and kind = 'daily' and date = $2`,
    [tx.tenantId, date],
  );
  if (found[0] || !begins) return found[0] ?? null;
  const [made] = await tx.query<DailyRun>(
    `insert into billing_run as r (tenant_id, id, date, kind, status, due, accounts_open, batches_open, opened_at, created_at)
     values ($1, $2, $3, 'daily', 'running', 0,
       (select count(*)::int from due_work d join billing_account a on a.tenant_id = d.tenant_id and a.customer_id = d.ref::uuid and a.requested_run_id is null
        where d.tenant_id = $1 and d.kind = $4 and d.due_at <= $5), 0, $5, $5)
     on conflict (tenant_id, date) where kind = 'daily' do update set date = excluded.date
     returning id, opened_at as "openedAt"`,
    [tx.tenantId, newUuid(), date, ACCOUNT_DUE, tx.now],
  );
  return made as DailyRun;
}

/** Adds what was done to a run; a daily run that had been completed goes on when another account becomes due that day. */
export async function recordProgress(tx: TenantTx, { runId, accounts, billed, batches, failures }: RunProgress): Promise<void> {
  const again = await forgive(tx, runId, billed, failures);
  if (failures.length > 0) await recordFailures(tx, runId, failures);
  const due = billed.length + failures.length - again;
  await tx.query(
    `update billing_run set due = due + $3, accounts_open = greatest(accounts_open - $4, 0), batches_open = batches_open + $5, status = 'running', completed_at = null
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, runId, due, accounts, batches],
  );
  await completeWhenDone(tx, [runId]);
}

/** Takes back the failures of what the run has billed after all; returns how many of the subscriptions it had counted before. */
async function forgive(tx: TenantTx, runId: string, billed: readonly string[], failures: RunProgress['failures']): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    'select subscription_id as id from billing_run_failure where tenant_id = $1 and run_id = $2',
    [tx.tenantId, runId],
  );
  if (rows.length === 0) return 0;
  const failed = new Set(rows.map(({ id }) => id));
  const healed = billed.filter((id) => failed.has(id));
  if (healed.length > 0)
    await tx.query('delete from billing_run_failure where tenant_id = $1 and run_id = $2 and subscription_id = any($3::uuid[])', [
      tx.tenantId,
      runId,
      healed,
    ]);
  return healed.length + failures.filter(({ subscriptionId }) => failed.has(subscriptionId)).length;
}

export async function recordFailures(tx: TenantTx, runId: string, failures: RunProgress['failures']): Promise<void> {
  await tx.query(
    `insert into billing_run_failure (tenant_id, run_id, subscription_id, reason) select $1, $2, x.id, x.reason from unnest($3::uuid[], $4::text[]) as x (id, reason)
     on conflict (tenant_id, run_id, subscription_id) do update set reason = excluded.reason`,
    [tx.tenantId, runId, failures.map((one) => one.subscriptionId), failures.map((one) => one.reason)],
  );
}

/** A run is completed when no account waits for it and every batch is answered. */
export async function completeWhenDone(tx: TenantTx, runIds: readonly string[]): Promise<void> {
  await tx.query(
    `update billing_run set status = 'completed', completed_at = $3
     where tenant_id = $1 and id = any($2::uuid[]) and accounts_open = 0 and batches_open = 0 and status = 'running'`,
    [tx.tenantId, runIds, tx.now],
  );
}
