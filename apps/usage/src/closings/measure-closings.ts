import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { findMetrics } from '../measurement/find-metrics.js';
import { type GroupedUsage, MeasureUsage, type UsageQuery } from '../measurement/measure-usage.js';
import { findPeriodMetrics } from './period-metrics.js';
import type { UsageClosingRow } from './usage-closing.row.js';

/** A closed period as far as measuring needs it. */
export type ClosedPeriod = Pick<UsageClosingRow, 'id' | 'metricId' | 'customerId' | 'fromAt' | 'toAt' | 'groupBy'>;

/** Periods whose single events are read together. */
const PERIODS_AT_ONCE = 25;

/**
 * Measures closed periods, by their ids, under one meaning of their metrics. Definitions are held for the short while
 * that rollups are read. Single events of a busy customer take longer than whoever stores events may wait: they are
 * read first, and what was meant is compared afterwards. A period whose metric has changed meanwhile is missing in the
 * answer, and what takes too long together with others.
 */
@Injectable()
export class MeasureClosings {
  constructor(private readonly usage: MeasureUsage) {}

  /**
   * In a READ COMMITTED transaction; definitions stay as they are from then to its end. After `patienceMs` no further
   * periods are begun that need single events.
   */
  async execute(
    tx: TenantTx,
    periods: readonly ClosedPeriod[],
    patienceMs = Infinity,
  ): Promise<Map<string, GroupedUsage>> {
    const [heavy, light] = await split(tx, periods);
    const ids = heavy.map(({ metricId }) => metricId);
    const before = await findPeriodMetrics(tx, ids);
    const found = await this.fromEvents(tx, heavy, patienceMs);
    await tx.query('SELECT usage_metrics_begin($1)', [tx.tenantId]);
    const after = await findPeriodMetrics(tx, ids);
    for (const { id, metricId } of heavy)
      if (before.get(metricId)?.meaning !== after.get(metricId)?.meaning) found.delete(id);
    for (const [id, usage] of await this.usage.execute(tx, light.map(queryOf))) found.set(id, usage);
    return found;
  }

  private async fromEvents(
    tx: TenantTx,
    periods: readonly ClosedPeriod[],
    patienceMs: number,
  ): Promise<Map<string, GroupedUsage>> {
    const found = new Map<string, GroupedUsage>();
    const begun = performance.now();
    for (
      let at = 0, count = 1;
      at < periods.length && performance.now() - begun < patienceMs;
      [at, count] = [at + count, Math.min(PERIODS_AT_ONCE, count * 2)]
    ) {
      for (const [id, usage] of await this.usage.execute(tx, periods.slice(at, at + count).map(queryOf)))
        found.set(id, usage);
    }
    return found;
  }
}

const queryOf = ({ id, metricId, customerId, fromAt, toAt, groupBy }: ClosedPeriod): UsageQuery => ({
  key: id,
  metricId,
  customerId,
  from: fromAt,
  to: toAt,
  groupBy,
});

/** Those that need each single event, and those that rollups answer. */
async function split(tx: TenantTx, periods: readonly ClosedPeriod[]): Promise<[ClosedPeriod[], ClosedPeriod[]]> {
  const metrics = await findMetrics(
    tx,
    periods.map(({ metricId }) => metricId),
  );
  const isHeavy = ({ metricId }: ClosedPeriod): boolean => needsRawEvents(metrics.get(metricId)!.aggregationType);
  return [periods.filter(isHeavy), periods.filter((period) => !isHeavy(period))];
}
