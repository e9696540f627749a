import { type Day, dayOf, newUuid, validationFailed } from '@kontor/kernel';
import { Database, Replicas, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { tenantZone } from '../settings/tenant.js';
import { lastDayOfRequest } from '../domain/periods/due-time.js';
import { ACCOUNT_DUE } from '../billing-accounts/accounts.js';
import { readRun } from './billing-run.read.js';
import type { BillingRunJson } from './billing-run.schema.js';
import { completeWhenDone } from './run-counters.js';

/**
 * Bills at once all that is due until the end of a day: the accounts are handed to the run, which bills them
 * immediately. An account of another requested run stays with that, unless this one bills further.
 * @throws DomainError `validation_failed` for a day in the future
 */
@Injectable()
export class RequestRun {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  execute(tenantId: string, date: Day | null): Promise<BillingRunJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const zone = await tenantZone(tx, this.replicas);
      const today = dayOf(tx.now, zone);
      if (date !== null && date > today)
        throw validationFailed('date', 'date must not be in the future.', 'in_the_future');
      return readRun(tx, await this.begin(tx, date ?? today, zone));
    });
  }

  private async begin(tx: TenantTx, date: Day, zone: string): Promise<string> {
    const id = newUuid();
    const claimed = await this.claim(tx, id, date, zone);
    await tx.query(
      `INSERT INTO billing_run
         (tenant_id, id, date, kind, status, due, accounts_open, batches_open, opened_at, created_at)
       VALUES ($1, $2, $3, 'requested', 'running', 0, $4, 0, $5, $5)`,
      [tx.tenantId, id, date, claimed.length, tx.now],
    );
    await this.release(
      tx,
      claimed.flatMap(({ before }) => before ?? []),
    );
    await scheduleDueMany(
      tx,
      claimed.map(({ customerId }) => ({ kind: ACCOUNT_DUE, ref: customerId, dueAt: tx.now })),
    );
    await completeWhenDone(tx, [id]);
    return id;
  }

  private async claim(
    tx: TenantTx,
    runId: string,
    date: Day,
    zone: string,
  ): Promise<{ customerId: string; before: string | null }[]> {
    const zones = await tx.query<{ zone: string }>(
      'SELECT DISTINCT time_zone AS zone FROM customer WHERE tenant_id = $1',
      [tx.tenantId],
    );
    return tx.query(
      `WITH wanted AS (
         SELECT a.customer_id, a.requested_run_id
         FROM billing_account a
         JOIN customer c ON c.tenant_id = a.tenant_id AND c.id = a.customer_id
         JOIN unnest($3::text[], $4::text[]) AS z (zone, until) ON z.zone = c.time_zone
         WHERE a.tenant_id = $1 AND a.due_on <= z.until AND (a.requested_run_id IS NULL OR a.requested_date < $5)
         ORDER BY a.customer_id FOR UPDATE OF a
       )
       UPDATE billing_account a SET requested_run_id = $2, requested_date = $5
       FROM wanted
       WHERE a.tenant_id = $1 AND a.customer_id = wanted.customer_id
       RETURNING a.customer_id AS "customerId", wanted.requested_run_id AS before`,
      [
        tx.tenantId,
        runId,
        zones.map((customer) => customer.zone),
        zones.map((customer) => lastDayOfRequest(date, { tenant: zone, customer: customer.zone })),
        date,
      ],
    );
  }

  /** Earlier requests whose accounts this one takes over no longer wait for them. */
  private async release(tx: TenantTx, runIds: readonly string[]): Promise<void> {
    if (runIds.length === 0) return;
    await tx.query(
      `UPDATE billing_run r SET accounts_open = greatest(r.accounts_open - x.n, 0)
       FROM (SELECT id, count(*)::int AS n FROM unnest($2::uuid[]) AS u (id) GROUP BY id) x
       WHERE r.tenant_id = $1 AND r.id = x.id`,
      [tx.tenantId, runIds],
    );
    await completeWhenDone(tx, runIds);
  }
}
