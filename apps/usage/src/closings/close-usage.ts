import type { CloseUsageResponse, UsageAmount, UsagePeriod } from '@kontor/contracts';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { MeasureUsage } from '../metrics/measure-usage.js';
import { ClosingQueue } from './closing-queue.js';
import { findPeriodMetrics, type PeriodMetric } from './period-metrics.js';

interface FrozenRow {
  readonly id: string;
  readonly value: string | null;
  readonly groups: UsageAmount['groups'] | null;
}

/** How long the answer waits for what is still being measured. */
const PATIENCE_MS = 1_500;

/**
 * Freezes the usage of periods. Each is written down and committed before anything is measured; then whoever is storing events ends,
 * and whoever begins afterwards sees that the period is closed. What is not measured in time is named in the answer and measured on;
 * the next call for it finds it, or, after a process that died in between, measures it.
 */
@Injectable()
export class CloseUsage {
  constructor(
    private readonly database: Database,
    private readonly usage: MeasureUsage,
    private readonly queue: ClosingQueue,
  ) {}

  async execute(tenantId: string, periods: readonly UsagePeriod[], patienceMs = PATIENCE_MS): Promise<CloseUsageResponse> {
    const sorted = [...periods].sort((a, b) => (a.id < b.id ? -1 : 1));
    const { known, refused } = await this.database.tenant(tenantId, (tx) => writeDown(tx, sorted));
    const ids = sorted.map(({ id }) => id).filter((id) => !refused.some((one) => one.id === id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) {
      await this.database.tenant(tenantId, (tx) => tx.query('SELECT usage_metrics_lock($1)', [tenantId]));
      await this.queue.execute(tenantId, missing, patienceMs);
      for (const amount of frozen(await this.database.tenant(tenantId, (tx) => readFrozen(tx, missing)))) known.set(amount.id, amount);
    }
    return { amounts: ids.flatMap((id) => known.get(id) ?? []), refused, open: ids.filter((id) => !known.has(id)) };
  }

  /** Usage so far, of any period; nothing is kept. */
  async preview(tx: TenantTx, periods: readonly UsagePeriod[]): Promise<CloseUsageResponse> {
    const { measurable, refused } = split(periods, await findPeriodMetrics(tx, periods.map(({ metricId }) => metricId))); // prettier-ignore
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
  groups: groups.map((one) => ({ group: one.group, quantity: one.value })),
});

/** Inserts what is new, and answers what is frozen already. */
async function writeDown(
  tx: TenantTx,
  periods: readonly UsagePeriod[],
): Promise<{ known: Map<string, UsageAmount>; refused: CloseUsageResponse['refused'] }> {
  const before = await readFrozen(tx, periods.map(({ id }) => id)); // prettier-ignore
  const there = new Set(before.map(({ id }) => id));
  const fresh = periods.filter(({ id }) => !there.has(id));
  const metrics = await findPeriodMetrics(tx, fresh.map(({ metricId }) => metricId)); // prettier-ignore
  const { measurable, refused } = split(fresh, metrics);
  if (measurable.length > 0)
    await tx.query(
      `INSERT INTO usage_closing (tenant_id, id, item_id, customer_id, metric_id, meaning, carries, from_at, to_at, group_by, created_at)
       SELECT $1, x.*, $11 FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[], $8::timestamptz[], $9::timestamptz[], $10::jsonb[]) AS x
       ON CONFLICT (tenant_id, id) DO NOTHING`,
      [
        tx.tenantId,
        measurable.map((one) => one.id),
        measurable.map((one) => one.itemId),
        measurable.map((one) => one.customerId),
        measurable.map((one) => one.metricId),
        measurable.map((one) => metrics.get(one.metricId)!.meaning),
        measurable.map((one) => metrics.get(one.metricId)!.carries),
        measurable.map((one) => one.from),
        measurable.map((one) => one.to),
        measurable.map((one) => JSON.stringify(one.groupBy)),
        tx.now,
      ],
    );
  return { known: new Map(frozen(before).map((one) => [one.id, one])), refused };
}

function split(periods: readonly UsagePeriod[], metrics: ReadonlyMap<string, PeriodMetric>) {
  const isMeasurable = ({ metricId, groupBy }: UsagePeriod): boolean =>
    groupBy.every((path) => metrics.get(metricId)?.groupBy.includes(path)) && metrics.has(metricId);
  return {
    measurable: periods.filter(isMeasurable),
    refused: periods.filter((one) => !isMeasurable(one)).map(({ id }) => ({ id, reason: 'unknown_reference' })),
  };
}

const readFrozen = (tx: TenantTx, ids: readonly string[]): Promise<FrozenRow[]> =>
  tx.query<FrozenRow>('SELECT id, value, groups FROM usage_closing WHERE tenant_id = $1 AND id = ANY($2::uuid[])', [tx.tenantId, ids]);

const frozen = (rows: readonly FrozenRow[]): UsageAmount[] =>
  rows.flatMap(({ id, value, groups }) => (value === null ? [] : [{ id, quantity: value, groups: groups ?? [] }]));
