import { type Decimal, formatDecimal } from '@kontor/money';
import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker, type TenantTx } from '@kontor/persistence';
import { usageMetrics } from '../db/usage-metric.row.js';
import { rollupOf } from '../domain/rollups/rollup-state.js';
import { type Sample, sampler } from '../domain/metrics/sample-event.js';
import { readEvents } from './read-events.js';
import { type RollupMetric, rollupMetric } from './metric-definitions.js';
import { REPAIR_ROLLUPS } from './rollup-work.js';
import { type UsageRollupRow, usageRollups } from './usage-rollup.row.js';

const ROWS = 100;

/**
 * Counts stale buckets anew: after a void, or an event that came between others. Until then they are read from their
 * events.
 */
@Injectable()
@DueHandler({ kind: REPAIR_ROLLUPS, batchSize: 1 })
export class RepairRollupsHandler implements DueWorker {
  constructor(private readonly database: Database) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      for (let done = false; !done && !batch.signal.aborted;) {
        done = await this.database.tenant(batch.tenantId, async (tx) => {
          const repaired = await repairSome(tx);
          if (repaired < ROWS) await completeDue(tx, REPAIR_ROLLUPS, item);
          return repaired < ROWS;
        });
      }
    }
  }
}

/**
 * With a row locked, every transaction that added to it is committed, so its events are seen; one that is adding now
 * has not touched the row yet, its events are not seen, and it adds them afterwards.
 */
async function repairSome(tx: TenantTx): Promise<number> {
  const locked = await usageRollups.where(
    tx,
    `t.stale AND EXISTS (SELECT FROM usage_metric m WHERE m.tenant_id = $1 AND m.rollup_id = t.rollup_id)
     ORDER BY t.rollup_id, t.width, t.customer_id, t.bucket_from, t.grp_key
     LIMIT ${ROWS}
     FOR UPDATE OF t SKIP LOCKED`,
  );
  const metricByRollup = await metricsOf(tx, locked);
  // A metric that counts anew meanwhile has left its old rollups behind: they are purged, not repaired.
  const rows = locked.filter(({ rollupId }) => metricByRollup.has(rollupId));
  const metrics = rows.map(({ rollupId }) => metricByRollup.get(rollupId)!);
  const samplers = metrics.map(sampler);
  const samples: Sample[][] = rows.map(() => []);
  const spans = rows.map((row, i) => ({
    eventName: metrics[i]!.eventName,
    customerId: row.customerId,
    from: row.bucketFrom.getTime(),
    to: row.bucketTo.getTime(),
  }));
  await readEvents(tx, spans, (event) => {
    const sample = samplers[event.n]!(event);
    if (sample?.group === rows[event.n]!.grp) samples[event.n]!.push(sample);
  });
  const repaired = rows.map((row, i) => repairedRow(row, samples[i]!, metrics[i]!.aggregationType));
  await usageRollups.update(tx, repaired, REPAIRED);
  return locked.length;
}

/** The metrics that the rows are rollups of, by rollup. */
async function metricsOf(tx: TenantTx, rows: readonly UsageRollupRow[]): Promise<Map<string, RollupMetric>> {
  const rollupIds = [...new Set(rows.map(({ rollupId }) => rollupId))];
  const metrics = await usageMetrics.find(tx, { rollupId: rollupIds });
  return new Map(metrics.map((row) => [row.rollupId, rollupMetric(row)]));
}

const REPAIRED = ['stale', 'min', 'max', 'firstAt', 'lastAt', 'lastId', 'lastValue', 'integral'] as const;

function repairedRow(row: UsageRollupRow, samples: Sample[], type: RollupMetric['aggregationType']): UsageRollupRow {
  const state = samples.length === 0 ? undefined : rollupOf(type, samples, row.bucketTo.getTime());
  return {
    ...row,
    stale: false,
    min: number(state?.min),
    max: number(state?.max),
    firstAt: instant(state?.firstAt),
    lastAt: instant(state?.lastAt),
    lastId: state?.lastId ?? null,
    lastValue: number(state?.lastValue),
    integral: number(state?.integral),
  };
}

const number = (value: Decimal | null | undefined): string | null => (value ? formatDecimal(value) : null);
const instant = (at: number | null | undefined): Date | null => (at === null || at === undefined ? null : new Date(at));
