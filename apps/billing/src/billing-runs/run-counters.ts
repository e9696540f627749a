import { type Day, newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { ACCOUNT_DUE } from '../billing-accounts/accounts.js';
import type { RatingFailure } from '../domain/charging/rated-account.js';

/** What a run did with some of its accounts. */
export interface RunProgress {
  readonly runId: string;
  /** Accounts that were counted as open and are done. */
  readonly accounts: number;
  /** Subscriptions that got a line. */
  readonly billed: readonly string[];
  readonly batches: number;
  /** Of all batches. */
  readonly lines: number;
  readonly failures: readonly Pick<RatingFailure, 'subscriptionId' | 'reason'>[];
}

export interface DailyRun {
  readonly id: string;
  readonly openedAt: Date;
}

/**
 * The day's run of a tenant, begun by the first batch that has something to bill; the accounts that are due at that
 * moment count as open. Null when there is none and nothing to begin it for.
 */
export async function dailyRun(tx: TenantTx, date: Day, begins: boolean): Promise<DailyRun | null> {
  const found = await tx.query<DailyRun>(
    `SELECT id, opened_at AS "openedAt" FROM billing_run WHERE tenant_id = $1 AND kind = 'daily' AND date = $2`,
    [tx.tenantId, date],
  );
  if (found[0] || !begins) return found[0] ?? null;
  const [made] = await tx.query<DailyRun>(
    `INSERT INTO billing_run AS r
       (tenant_id, id, date, kind, status, due, accounts_open, batches_open, opened_at, created_at)
     VALUES ($1, $2, $3, 'daily', 'running', 0,
       (SELECT count(*)::int FROM due_items($1, $4) d
        WHERE d.due_at <= $5 AND (SELECT a.requested_run_id IS NULL FROM billing_account a
                                  WHERE a.tenant_id = $1 AND a.customer_id = d.ref::uuid)),
       0, $5, $5)
     ON CONFLICT (tenant_id, date) WHERE kind = 'daily' DO UPDATE SET date = excluded.date
     RETURNING id, opened_at AS "openedAt"`,
    [tx.tenantId, newUuid(), date, ACCOUNT_DUE, tx.now],
  );
  return made as DailyRun;
}

/**
 * Adds what was done to a run; a daily run that had been completed goes on when another account becomes due that day.
 */
export async function recordProgress(
  tx: TenantTx,
  { runId, accounts, billed, batches, lines, failures }: RunProgress,
): Promise<void> {
  const again = await removeFailures(tx, runId, billed, failures);
  if (failures.length > 0) await recordFailures(tx, runId, failures);
  const due = billed.length + failures.length - again;
  await tx.query(
    `UPDATE billing_run
     SET due = due + $3, accounts_open = greatest(accounts_open - $4, 0), batches_open = batches_open + $5,
       lines_open = lines_open + $6, moved_at = now(), status = 'running', completed_at = NULL
     WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, runId, due, accounts, batches, lines],
  );
  await completeWhenDone(tx, [runId]);
}

/**
 * Removes the failures of what the run has billed after all; returns how many of the subscriptions it had counted
 * before.
 */
async function removeFailures(
  tx: TenantTx,
  runId: string,
  billed: readonly string[],
  failures: RunProgress['failures'],
): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    'SELECT subscription_id AS id FROM billing_run_failure WHERE tenant_id = $1 AND run_id = $2',
    [tx.tenantId, runId],
  );
  if (rows.length === 0) return 0;
  const failed = new Set(rows.map(({ id }) => id));
  const healed = billed.filter((id) => failed.has(id));
  if (healed.length > 0)
    await tx.query(
      'DELETE FROM billing_run_failure WHERE tenant_id = $1 AND run_id = $2 AND subscription_id = ANY($3::uuid[])',
      [tx.tenantId, runId, healed],
    );
  return healed.length + failures.filter(({ subscriptionId }) => failed.has(subscriptionId)).length;
}

export async function recordFailures(tx: TenantTx, runId: string, failures: RunProgress['failures']): Promise<void> {
  await tx.query(
    `INSERT INTO billing_run_failure (tenant_id, run_id, subscription_id, reason)
     SELECT $1, $2, x.id, x.reason FROM unnest($3::uuid[], $4::text[]) AS x (id, reason)
     ON CONFLICT (tenant_id, run_id, subscription_id) DO UPDATE SET reason = excluded.reason`,
    [tx.tenantId, runId, failures.map(({ subscriptionId }) => subscriptionId), failures.map(({ reason }) => reason)],
  );
}

/** A run is completed when no account waits for it and every batch is answered. */
export async function completeWhenDone(tx: TenantTx, runIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE billing_run SET status = 'completed', completed_at = $3
     WHERE tenant_id = $1 AND id = ANY($2::uuid[])
       AND accounts_open = 0 AND batches_open = 0 AND status = 'running'`,
    [tx.tenantId, runIds, tx.now],
  );
}
