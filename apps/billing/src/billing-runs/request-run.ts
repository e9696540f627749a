import type { TenantState } from '@kontor/contracts';
import { type Day, dayOf, newUuid, validationFailed } from '@kontor/kernel';
import { Database, Replicas, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { FALLBACK_ZONE } from '../customers/create-customer.js';
import { lastDayOfRequest } from '../domain/periods/due-time.js';
import { ACCOUNT_DUE } from './accounts.js';
import { type BillingRunJson, readRun } from './billing-run.read.js';
import { completeWhenDone } from './run-counters.js';

/**
 * Bills at once all that is due until the end of a day: the accounts are handed to the run, which works them off at once.
 * An account that another run has been asked for stays with that, unless this one bills further.
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
      const zone = (await this.replicas.get<TenantState>(tx, 'tenant', tenantId))?.timeZone ?? FALLBACK_ZONE;
      const today = dayOf(tx.now, zone);
      if (date !== null && date > today) throw validationFailed('date', 'A run cannot bill days that have not come.', 'in_the_future');
      return readRun(tx, await this.begin(tx, date ?? today, zone));
    });
  }

  private async begin(tx: TenantTx, date: Day, zone: string): Promise<string> {
    const id = newUuid();
    const taken = await this.take(tx, id, date, zone);
    await tx.query(
      `insert into billing_run (tenant_id, id, date, kind, status, due, accounts_open, batches_open, opened_at, created_at)
       values ($1, $2, $3, 'requested', 'running', 0, $4, 0, $5, $5)`,
      [tx.tenantId, id, date, taken.length, tx.now],
    );
    await this.release(tx, taken.flatMap(({ before }) => before ?? [])); // prettier-ignore
    await scheduleDueMany(tx, taken.map(({ customerId }) => ({ kind: ACCOUNT_DUE, ref: customerId, dueAt: tx.now }))); // prettier-ignore
    await completeWhenDone(tx, [id]);
    return id;
  }

  private async take(tx: TenantTx, runId: string, date: Day, zone: string): Promise<{ customerId: string; before: string | null }[]> {
    const zones = await tx.query<{ zone: string }>('select distinct time_zone as zone from customer where tenant_id = $1', [tx.tenantId]);
    return tx.query(
      `with wanted as (
         select a.customer_id, a.requested_run_id from billing_account a
         join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
         join unnest($3::text[], $4::text[]) as z (zone, until) on z.zone = c.time_zone
         where a.tenant_id = $1 and a.due_on <= z.until and (a.requested_run_id is null or a.requested_date < $5)
         order by a.customer_id for update of a)
       update billing_account a set requested_run_id = $2, requested_date = $5 from wanted
       where a.tenant_id = $1 and a.customer_id = wanted.customer_id
       returning a.customer_id as "customerId", wanted.requested_run_id as before`,
      [
        tx.tenantId,
        runId,
        zones.map((one) => one.zone),
        zones.map((one) => lastDayOfRequest(date, { tenant: zone, customer: one.zone })),
        date,
      ],
    );
  }

  /** Earlier requests whose accounts this one takes over no longer wait for them. */
  private async release(tx: TenantTx, runIds: readonly string[]): Promise<void> {
    if (runIds.length === 0) return;
    await tx.query(
      `update billing_run r set accounts_open = greatest(r.accounts_open - x.n, 0)
       from (select id, count(*)::int as n from unnest($2::uuid[]) as u (id) group by id) x where r.tenant_id = $1 and r.id = x.id`,
      [tx.tenantId, runIds],
    );
    await completeWhenDone(tx, runIds);
  }
}
