import { chargesSettledV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { DOCUMENT_AS_LINES } from '../domain/charging/portion.js';
import { completeWhenDone, recordFailures } from './run-counters.js';
import { PublishBilled } from './publish-billed.js';

interface Settled {
  readonly id: string;
  readonly runId: string | null;
  readonly isFirst: boolean;
  readonly wasBlocked: boolean;
  readonly blockedReason: string | null;
  readonly subscriptionIds: string[];
  readonly lines: number;
}

/** Batches have their documents, or the reason why not: a run is completed with the last one. */
@EventConsumer()
export class OnChargesSettled {
  constructor(private readonly publishBilled: PublishBilled) {}

  @Consume(chargesSettledV1, { batch: true })
  async handle(events: EventOf<typeof chargesSettledV1>[], tx: TenantTx): Promise<void> {
    const answers = [...new Map(events.map(({ payload }) => [payload.batchId, payload])).values()];
    const settled = await tx.query<Settled>(
      `WITH answer AS (
         SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS x (id, invoice_id, blocked_reason)
       ),
       before AS (
         SELECT b.id, b.settled_at, b.blocked_reason
         FROM charge_batch b
         JOIN answer ON answer.id = b.id
         WHERE b.tenant_id = $1
         ORDER BY b.id FOR UPDATE OF b
       )
       UPDATE charge_batch b
       SET settled_at = coalesce(b.settled_at, $5), invoice_id = answer.invoice_id,
         blocked_reason = answer.blocked_reason
       FROM answer
       JOIN before ON before.id = answer.id
       WHERE b.tenant_id = $1 AND b.id = answer.id
       RETURNING b.id, b.run_id AS "runId", before.settled_at IS NULL AS "isFirst",
         before.blocked_reason IS NOT NULL AS "wasBlocked", b.blocked_reason AS "blockedReason",
         b.subscription_ids AS "subscriptionIds", b.lines`,
      [
        tx.tenantId,
        answers.map(({ batchId }) => batchId),
        answers.map(({ invoiceId }) => invoiceId),
        answers.map(({ blockedReason }) => blockedReason),
        tx.now,
      ],
    );
    const documented = settled.filter(
      ({ blockedReason, isFirst, wasBlocked }) => blockedReason === null && (isFirst || wasBlocked),
    );
    await this.publishBilled.execute(tx, [...new Set(documented.flatMap(({ subscriptionIds }) => subscriptionIds))]);
    await this.updateRuns(tx, settled);
  }

  private async updateRuns(tx: TenantTx, settled: readonly Settled[]): Promise<void> {
    const runIds = [...new Set(settled.flatMap(({ runId }) => runId ?? []))].sort();
    for (const runId of runIds) {
      const ofRun = settled.filter((batch) => batch.runId === runId);
      const failures = ofRun.flatMap(({ blockedReason, subscriptionIds }) =>
        blockedReason === null
          ? []
          : subscriptionIds.map((subscriptionId) => ({ subscriptionId, reason: blockedReason })),
      );
      const unblocked = ofRun
        .filter(({ wasBlocked, blockedReason }) => wasBlocked && blockedReason === null)
        .flatMap(({ subscriptionIds }) => subscriptionIds);
      if (unblocked.length > 0) await this.removeFailures(tx, runId, unblocked);
      if (failures.length > 0)
        await recordFailures(tx, runId, [
          ...new Map(failures.map((failure) => [failure.subscriptionId, failure])).values(),
        ]);
      const first = ofRun.filter(({ isFirst }) => isFirst);
      await tx.query(
        `UPDATE billing_run
         SET batches_open = batches_open - $3, lines_open = lines_open - $4, moved_at = now(),
           stuck_cost = greatest(0, stuck_cost - (
             SELECT coalesce(sum(x.lines + ${DOCUMENT_AS_LINES}), 0) FROM unnest($5::uuid[], $6::int[]) AS x (id, lines)
             WHERE x.id < stuck_before))
         WHERE tenant_id = $1 AND id = $2`,
        [
          tx.tenantId,
          runId,
          first.length,
          first.reduce((sum, { lines }) => sum + lines, 0),
          first.map(({ id }) => id),
          first.map(({ lines }) => lines),
        ],
      );
    }
    if (runIds.length > 0) await completeWhenDone(tx, runIds);
  }

  /** What had blocked their documents is gone; another batch of the run may still be blocked. */
  private async removeFailures(tx: TenantTx, runId: string, subscriptionIds: readonly string[]): Promise<void> {
    await tx.query(
      `DELETE FROM billing_run_failure f
       WHERE f.tenant_id = $1 AND f.run_id = $2 AND f.subscription_id = ANY($3::uuid[])
         AND NOT EXISTS (
           SELECT 1 FROM charge_batch b
           WHERE b.tenant_id = $1 AND b.run_id = $2 AND b.blocked_reason IS NOT NULL
             AND b.subscription_ids ? f.subscription_id::text)`,
      [tx.tenantId, runId, subscriptionIds],
    );
  }
}
