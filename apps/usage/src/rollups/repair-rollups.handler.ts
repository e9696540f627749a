import { formatDecimal } from '@kontor/money';
import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker, type TenantTx } from '@kontor/persistence';
import { rollupOf } from '../domain/metrics/rollup-state.js';
import { type Sample, sampler } from '../domain/metrics/sample-event.js';
import { readEvents } from '../metrics/read-events.js';
import { type DefinitionRow, keptMetric } from './metric-definitions.js';
import { REPAIR_ROLLUPS } from './rollup-work.js';

const ROWS = 100;

interface StaleRow {
  rollup_id: string;
  width: string;
  customer_id: string;
  bucket_from: Date;
  bucket_to: Date;
  grp_key: string;
  grp: string;
}

/** Counts stale buckets anew: after a void, or an event that came between others. Until then they are read from their events. */
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
 * With a row locked, every transaction that added to it is committed, so its events are seen; one that is adding now has not touched
 * the row yet, its events are not seen, and it adds them afterwards.
 */
async function repairSome(tx: TenantTx): Promise<number> {
  const rows = await tx.query<StaleRow & DefinitionRow>(
    `SELECT m.*, r.* FROM usage_rollup r JOIN usage_metric m ON m.tenant_id = r.tenant_id AND m.rollup_id = r.rollup_id
     WHERE r.tenant_id = $1 AND r.stale ORDER BY r.rollup_id, r.width, r.customer_id, r.bucket_from, r.grp_key LIMIT ${ROWS} FOR UPDATE OF r SKIP LOCKED`,
    [tx.tenantId],
  );
  const samples: Sample[][] = rows.map(() => []);
  const metrics = rows.map((row) => keptMetric(row));
  const samplers = metrics.map(sampler);
  const spans = rows.map((row, i) => ({ eventName: metrics[i]!.eventName, customerId: row.customer_id, from: row.bucket_from.getTime(), to: row.bucket_to.getTime() })); // prettier-ignore
  await readEvents(tx, spans, (event) => {
    const sample = samplers[event.n]!(event);
    if (sample?.group === rows[event.n]!.grp) samples[event.n]!.push(sample);
  });
  for (const [i, row] of rows.entries()) await store(tx, row, samples[i]!, metrics[i]!.aggregationType);
  return rows.length;
}

async function store(tx: TenantTx, row: StaleRow, samples: Sample[], type: DefinitionRow['aggregation_type']): Promise<void> {
  const state = samples.length === 0 ? undefined : rollupOf(type, samples, row.bucket_to.getTime());
  const number = (value: Parameters<typeof formatDecimal>[0] | null | undefined): string | null => (value ? formatDecimal(value) : null);
  const instant = (at: number | null | undefined): Date | null => (at === null || at === undefined ? null : new Date(at));
  await tx.query(
    `UPDATE usage_rollup SET stale = false, min = $7, max = $8, first_at = $9, last_at = $10, last_id = $11, last_value = $12, integral = $13
     WHERE tenant_id = $1 AND rollup_id = $2 AND width = $3 AND customer_id = $4 AND bucket_from = $5 AND grp_key = $6`,
    [
      tx.tenantId, row.rollup_id, row.width, row.customer_id, row.bucket_from, row.grp_key, number(state?.min), number(state?.max),
      instant(state?.firstAt), instant(state?.lastAt), state?.lastId ?? null, number(state?.lastValue), number(state?.integral),
    ], // prettier-ignore
  );
}
