import type { CloseUsageResponse, UsageAmount, UsagePeriod } from '@kontor/contracts';
import { Database, type NewRow, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { MeasureUsage } from '../measurement/measure-usage.js';
import { ClosingQueue } from './closing-queue.js';
import { findPeriodMetrics, type PeriodMetric } from './period-metrics.js';
import { type UsageClosingRow, usageClosings } from './usage-closing.row.js';

/** How long the answer waits for what is still being measured. */
const PATIENCE_MS = 1_500;

/**
 * Freezes the usage of periods. Each is written down and committed before anything is measured; then whoever is storing
 * events ends, and whoever begins afterwards sees that the period is closed. What is not measured in time is named in
 * the answer and measured on; the next call for it finds it, or, after a process that died in between, measures it.
 */
@Injectable()
export class CloseUsage {
  constructor(
    private readonly database: Database,
    private readonly usage: MeasureUsage,
    private readonly queue: ClosingQueue,
  ) {}

  async execute(
    tenantId: string,
    periods: readonly UsagePeriod[],
    patienceMs = PATIENCE_MS,
  ): Promise<CloseUsageResponse> {
    const sorted = [...periods].sort((a, b) => (a.id < b.id ? -1 : 1));
    const { known, refused } = await this.database.tenant(tenantId, (tx) => writeDown(tx, sorted));
    const ids = sorted.map(({ id }) => id).filter((id) => !refused.some((period) => period.id === id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) {
      await this.database.tenant(tenantId, (tx) => tx.query('SELECT usage_metrics_lock($1)', [tenantId]));
      await this.queue.execute(tenantId, missing, patienceMs);
      for (const amount of frozen(await this.database.tenant(tenantId, (tx) => usageClosings.findByIds(tx, missing))))
        known.set(amount.id, amount);
    }
    return { amounts: ids.flatMap((id) => known.get(id) ?? []), refused, open: ids.filter((id) => !known.has(id)) };
  }

  /** Usage so far, of any period; nothing is kept. */
  async preview(tx: TenantTx, periods: readonly UsagePeriod[]): Promise<CloseUsageResponse> {
    const { measurable, refused } = split(
      periods,
      await findPeriodMetrics(
        tx,
        periods.map(({ metricId }) => metricId),
      ),
    );
    const found = await this.usage.execute(
      tx,
      measurable.map(({ id, from, to, ...rest }) => ({ ...rest, key: id, from: new Date(from), to: new Date(to) })),
    );
    return { amounts: measurable.map(({ id }) => amountOf(id, found.get(id)!)), refused, open: [] };
  }
}

type Measured = Awaited<ReturnType<MeasureUsage['execute']>> extends Map<string, infer Usage> ? Usage : never;

const amountOf = (id: string, { value, groups }: Measured): UsageAmount => ({
  id,
  quantity: value,
  groups: groups.map(({ group, value: quantity }) => ({ group, quantity })),
});

/** Inserts what is new, and answers what is frozen already. */
async function writeDown(
  tx: TenantTx,
  periods: readonly UsagePeriod[],
): Promise<{ known: Map<string, UsageAmount>; refused: CloseUsageResponse['refused'] }> {
  const before = await usageClosings.findByIds(
    tx,
    periods.map(({ id }) => id),
  );
  const there = new Set(before.map(({ id }) => id));
  const fresh = periods.filter(({ id }) => !there.has(id));
  const metrics = await findPeriodMetrics(
    tx,
    fresh.map(({ metricId }) => metricId),
  );
  const { measurable, refused } = split(fresh, metrics);
  await usageClosings.insertMissing(
    tx,
    measurable.map((period) => newClosing(period, metrics.get(period.metricId)!, tx.now)),
  );
  return { known: new Map(frozen(before).map((amount) => [amount.id, amount])), refused };
}

const newClosing = (
  { id, itemId, customerId, metricId, from, to, groupBy }: UsagePeriod,
  { meaning, carries }: PeriodMetric,
  createdAt: Date,
): NewRow<UsageClosingRow> => ({
  id,
  itemId,
  customerId,
  metricId,
  meaning,
  carries,
  fromAt: new Date(from),
  toAt: new Date(to),
  groupBy: [...groupBy],
  value: null,
  groups: null,
  measuredAt: null,
  watched: true,
  createdAt,
});

function split(periods: readonly UsagePeriod[], metrics: ReadonlyMap<string, PeriodMetric>) {
  const isMeasurable = ({ metricId, groupBy }: UsagePeriod): boolean =>
    groupBy.every((path) => metrics.get(metricId)?.groupBy.includes(path)) && metrics.has(metricId);
  return {
    measurable: periods.filter(isMeasurable),
    refused: periods.filter((period) => !isMeasurable(period)).map(({ id }) => ({ id, reason: 'unknown_reference' })),
  };
}

const frozen = (rows: readonly UsageClosingRow[]): UsageAmount[] =>
  rows.flatMap(({ id, value, groups }) => (value === null ? [] : [{ id, quantity: value, groups: groups ?? [] }]));
