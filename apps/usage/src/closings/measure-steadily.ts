import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { findMetrics } from '../metrics/find-metrics.js';
import { type GroupedUsage, MeasureUsage } from '../metrics/measure-usage.js';
import { findPeriodMetrics } from './period-metrics.js';

/** A closed period as it is stored. */
export interface ClosedPeriod {
  readonly id: string;
  readonly metricId: string;
  readonly customerId: string;
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: string[];
}

/** Periods whose single events are read together. */
const MOST_AT_ONCE = 25;

/**
 * Measures closed periods, by their ids, under one meaning of their metrics. Definitions are held for the short while that rollups are
 * read. Single events of a busy customer take longer than whoever stores events may wait: they are read first, and what was meant
 * is compared afterwards. A period whose metric has changed meanwhile is missing in the answer, and what takes too long together with others.
 */
@Injectable()
export class MeasureSteadily {
  constructor(private readonly usage: MeasureUsage) {}

  /**
   * In a READ COMMITTED transaction; definitions stay as they are from then to its end. After `patienceMs` no further periods are begun
   * that need single events.
   */
  async execute(tx: TenantTx, periods: readonly ClosedPeriod[], patienceMs = Infinity): Promise<Map<string, GroupedUsage>> {
    const [heavy, light] = await split(tx, periods);
    const ids = heavy.map(({ metricId }) => metricId);
    const before = await findPeriodMetrics(tx, ids);
    const found = await this.fromEvents(tx, heavy, patienceMs);
    await tx.query('SELECT usage_metrics_begin($1)', [tx.tenantId]);
    const after = await findPeriodMetrics(tx, ids);
    for (const { id, metricId } of heavy) if (before.get(metricId)?.meaning !== after.get(metricId)?.meaning) found.delete(id);
    for (const [id, one] of await this.usage.execute(tx, light.map(asked))) found.set(id, one);
    return found;
  }

  private async fromEvents(tx: TenantTx, periods: readonly ClosedPeriod[], patienceMs: number): Promise<Map<string, GroupedUsage>> {
    const found = new Map<string, GroupedUsage>();
    const begun = Date.now();
    for (
      let at = 0, count = 1;
      at < periods.length && Date.now() - begun < patienceMs;
      [at, count] = [at + count, Math.min(MOST_AT_ONCE, count * 2)]
    ) {
      for (const [id, one] of await this.usage.execute(tx, periods.slice(at, at + count).map(asked))) found.set(id, one);
    }
    return found;
  }
}

const asked = (period: ClosedPeriod) => ({ ...period, key: period.id });

/** Those that need each single event, and those that rollups answer. */
async function split(tx: TenantTx, periods: readonly ClosedPeriod[]): Promise<[ClosedPeriod[], ClosedPeriod[]]> {
  const metrics = await findMetrics(tx, periods.map(({ metricId }) => metricId)); // prettier-ignore
  const isHeavy = ({ metricId }: ClosedPeriod): boolean => needsRawEvents(metrics.get(metricId)!.aggregationType);
  return [periods.filter(isHeavy), periods.filter((period) => !isHeavy(period))];
}
