import { usageMetricChangedV1 } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { checkMetric } from '../domain/metrics/check-metric.js';
import { metricState, type MetricRow } from './usage-metric.read.js';
import type { UsageMetricDto } from './usage-metric.dto.js';

/** The columns that a client sets. */
export type MetricColumns = Pick<
  MetricRow,
  | 'code' | 'name' | 'description' | 'event_name' | 'aggregation_type' | 'property' | 'percentile' | 'filters' | 'group_by' | 'unit' | 'rounding' | 'rollup'
>; // prettier-ignore

/** @throws DomainError `validation_failed` with everything that is wrong. */
export function columnsOf(dto: UsageMetricDto): MetricColumns {
  const columns: MetricColumns = {
    code: dto.code,
    name: dto.name.trim(),
    description: dto.description ?? null,
    event_name: dto.eventName,
    aggregation_type: dto.aggregationType,
    property: dto.property ?? null,
    percentile: dto.percentile === undefined || dto.percentile === null ? null : String(dto.percentile),
    filters: (dto.filters ?? []).map(({ property, operator, value }) => ({ property, operator, value: value ?? (operator === 'exists' ? true : null) })), // prettier-ignore
    group_by: dto.groupBy ?? [],
    unit: dto.unit?.trim() ?? null,
    rounding: dto.rounding ? { mode: dto.rounding.mode, scale: dto.rounding.scale } : null,
    rollup: dto.rollup ?? 'day',
  };
  const violations = checkMetric({
    eventName: columns.event_name,
    aggregationType: columns.aggregation_type,
    property: columns.property,
    percentile: columns.percentile,
    filters: columns.filters,
    groupBy: columns.group_by,
  });
  if (violations.length > 0) throw new DomainError('validation_failed', { detail: violations[0]!.message, violations });
  return columns;
}

/** Whether what is counted differs: names, units, rounding and the rank of a percentile do not change what rollups hold. */
export const countsDifferently = (a: MetricColumns, b: MetricColumns): boolean => counted(a) !== counted(b);

const counted = (one: MetricColumns): string =>
  JSON.stringify([one.event_name, one.aggregation_type, one.property, one.filters.map(({ property, operator, value }) => [property, operator, value]), one.group_by, one.rollup]); // prettier-ignore

const PARAMETERS = ['code', 'name', 'description', 'event_name', 'aggregation_type', 'property', 'percentile', 'filters', 'group_by', 'unit', 'rounding', 'rollup', 'status', 'rollup_id', 'bucket_zone', 'version', 'created_at', 'updated_at'] as const; // prettier-ignore
const JSON_COLUMNS = new Set<string>(['filters', 'group_by', 'rounding']);

export async function insertMetric(tx: TenantTx, row: MetricRow): Promise<void> {
  await tx.query(
    `INSERT INTO usage_metric (tenant_id, id, ${PARAMETERS.join(', ')}) VALUES ($1, $2, ${PARAMETERS.map((_, i) => `$${i + 3}`).join(', ')})`,
    parametersOf(tx, row),
  );
}

export async function updateMetric(tx: TenantTx, row: MetricRow): Promise<void> {
  await tx.query(
    `UPDATE usage_metric SET ${PARAMETERS.map((column, i) => `${column} = $${i + 3}`).join(', ')} WHERE tenant_id = $1 AND id = $2`,
    parametersOf(tx, row),
  );
}

const parametersOf = (tx: TenantTx, row: MetricRow): unknown[] => [
  tx.tenantId,
  row.id,
  ...PARAMETERS.map((column) => (JSON_COLUMNS.has(column) && row[column] !== null ? JSON.stringify(row[column]) : row[column])),
];

/** Tells whoever copies metrics. */
export const publishMetric = (tx: TenantTx, row: MetricRow): Promise<void> =>
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
    throw new DomainError('already_exists', { detail: message, violations: [{ propertyPath: 'code', message, code: 'already_exists' }] });
  }
}
