import { usageMetricChangedV1 } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import { checkMetric } from '../domain/metrics/check-metric.js';
import { metricState } from './usage-metric.read.js';
import type { UsageMetricDto } from './usage-metric.dto.js';

/** What a client sets. */
const CLIENT_PROPERTIES = [
  'code',
  'name',
  'description',
  'eventName',
  'aggregationType',
  'property',
  'percentile',
  'filters',
  'groupBy',
  'unit',
  'rounding',
  'rollup',
] as const;

export type MetricProperties = Pick<UsageMetricRow, (typeof CLIENT_PROPERTIES)[number]>;

/** @throws DomainError `validation_failed` with everything that is wrong. */
export function propertiesOf(dto: UsageMetricDto): MetricProperties {
  const properties: MetricProperties = {
    code: dto.code,
    name: dto.name.trim(),
    description: dto.description ?? null,
    eventName: dto.eventName,
    aggregationType: dto.aggregationType,
    property: dto.property ?? null,
    percentile: dto.percentile === undefined || dto.percentile === null ? null : String(dto.percentile),
    filters: (dto.filters ?? []).map(({ property, operator, value }) => ({
      property,
      operator,
      value: value ?? (operator === 'exists' ? true : null),
    })),
    groupBy: dto.groupBy ?? [],
    unit: dto.unit?.trim() ?? null,
    rounding: dto.rounding ? { mode: dto.rounding.mode, scale: dto.rounding.scale } : null,
    rollup: dto.rollup ?? 'day',
  };
  const violations = checkMetric({
    eventName: properties.eventName,
    aggregationType: properties.aggregationType,
    property: properties.property,
    percentile: properties.percentile,
    filters: properties.filters,
    groupBy: properties.groupBy,
  });
  if (violations.length > 0) throw new DomainError('validation_failed', { detail: violations[0]!.message, violations });
  return properties;
}

/**
 * Whether what is counted differs: names, units, rounding and the rank of a percentile do not change what rollups hold.
 */
export const countsDifferently = (a: MetricProperties, b: MetricProperties): boolean => counted(a) !== counted(b);

const counted = (metric: MetricProperties): string =>
  JSON.stringify([
    metric.eventName,
    metric.aggregationType,
    metric.property,
    metric.filters.map(({ property, operator, value }) => [property, operator, value]),
    metric.groupBy,
    metric.rollup,
  ]);

/** Changes a locked metric; the state of its rollups stays as it is. */
export const updateMetric = (tx: TenantTx, row: UsageMetricRow): Promise<void> =>
  usageMetrics.update(tx, row, [...CLIENT_PROPERTIES, 'status', 'rollupId', 'version', 'updatedAt']);

/** For the services that copy metrics. */
export const publishMetric = (tx: TenantTx, row: UsageMetricRow): Promise<void> =>
  appendEvent(tx, usageMetricChangedV1, {
    aggregateId: row.id,
    aggregateSeq: row.version,
    payload: { id: row.id, version: row.version, deleted: false, state: metricState(row), notices: [] },
  });

const UNIQUE_VIOLATION = '23505';

/** @throws DomainError `already_exists` for a code that another metric has. */
export async function refusingDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== UNIQUE_VIOLATION || constraint !== 'usage_metric_code') throw error;
    const message = 'Another metric has this code already.';
    throw new DomainError('already_exists', {
      detail: message,
      violations: [{ propertyPath: 'code', message, code: 'already_exists' }],
    });
  }
}
