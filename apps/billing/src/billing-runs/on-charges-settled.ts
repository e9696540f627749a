import { chargesSettledV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { completeWhenDone, recordFailures } from './run-counters.js';
import { TellBilled } from './tell-billed.js';

interface Settled {
  readonly runId: string | null;
  readonly isFirst: boolean;
  readonly wasBlocked: boolean;
  readonly blockedReason: string | null;
  readonly subscriptionIds: string[];
}

/** Batches have their documents, or say why not: a run is completed with the last one. */
@EventConsumer()
export class OnChargesSettled {
  constructor(private readonly tellBilled: TellBilled) {}

  @Consume(chargesSettledV1, { batch: true })
  async handle(events: EventOf<typeof chargesSettledV1>[], tx: TenantTx): Promise<void> {
    const last = [...new Map(events.map(({ payload }) => [payload.batchId, payload])).values()];
    const settled = await tx.query<Settled>(
      `with answer as (select * from unnest($2::uuid[], $3::uuid[], $4::text[]) as x (id, invoice_id, blocked_reason)),
       before as (select b.id, b.settled_at, b.blocked_reason from charge_batch b join answer on answer.id = b.id where b.tenant_id = $1 order by b.id for update of b)
       update charge_batch b set settled_at = coalesce(b.settled_at, $5), invoice_id = answer.invoice_id, blocked_reason = answer.blocked_reason
       from answer join before on before.id = answer.id where b.tenant_id = $1 and b.id = answer.id
       returning b.run_id as "runId", before.settled_at is null as "isFirst", before.blocked_reason is not null as "wasBlocked", b.blocked_reason as "blockedReason",
         b.subscription_ids as "subscriptionIds"`,
      [tx.tenantId, last.map((one) => one.batchId), last.map((one) => one.invoiceId), last.map((one) => one.blockedReason), tx.now],
    );
    const documented = settled.filter((one) => one.blockedReason === null && (one.isFirst || one.wasBlocked));
    await this.tellBilled.execute(tx, [...new Set(documented.flatMap((one) => one.subscriptionIds))]);
    await this.updateRuns(tx, settled);
  }

  private async updateRuns(tx: TenantTx, settled: readonly Settled[]): Promise<void> {
    const runIds = [...new Set(settled.flatMap(({ runId }) => runId ?? []))].sort();
    for (const runId of runIds) {
      const mine = settled.filter((one) => one.runId === runId);
      const failures = mine.flatMap(({ blockedReason, subscriptionIds }) =>
        blockedReason === null ? [] : subscriptionIds.map((subscriptionId) => ({ subscriptionId, reason: blockedReason })),
      );
      const freed = mine.filter((one) => one.wasBlocked && one.blockedReason === null).flatMap((one) => one.subscriptionIds);
      if (freed.length > 0) await this.forgive(tx, runId, freed);
      if (failures.length > 0) await recordFailures(tx, runId, [...new Map(failures.map((one) => [one.subscriptionId, one])).values()]);
      await tx.query('update billing_run set batches_open = batches_open - $3 where tenant_id = $1 and id = $2', [
        tx.tenantId,
        runId,
        mine.filter((one) => one.isFirst).length,
      ]);
    }
    if (runIds.length > 0) await completeWhenDone(tx, runIds);
  }

  /** What had blocked their documents is gone; another batch of the run may still be blocked. */
  private async forgive(tx: TenantTx, runId: string, subscriptionIds: readonly string[]): Promise<void> {
    await tx.query(
      `delete from billing_run_failure f where f.tenant_id = $1 and f.run_id = $2 and f.subscription_id = any($3::uuid[])
         and not exists (select 1 from charge_batch b where b.tenant_id = $1 and b.run_id = $2 and b.blocked_reason is not null and b.subscription_ids ? f.subscription_id::text)`,
      [tx.tenantId, runId, subscriptionIds],
    );
  }
}
