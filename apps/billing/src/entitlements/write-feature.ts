import type { UsageMetricState } from '@kontor/contracts';
import { DomainError, invalidTransition, newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { optionalReferenceTo } from '../catalogue/catalogue-resource.js';
import { refusingDuplicates } from '../db/constraints.js';
import { FeatureRow } from '../db/entitlement.row.js';
import * as tables from '../db/tables.js';
import { type FeatureType, readConfig, readValue } from '../domain/entitlements/feature-config.js';
import { textOrNull } from '../fields.js';
import type { FeatureDto, NewFeatureDto } from './entitlement.dto.js';
import type { FeatureJson } from './entitlement.schema.js';
import { findFeature, representFeature } from './feature.read.js';
import { lockFeatures } from './lock-entitlements.js';
import { publishFeature } from './publish-entitlements.js';
import { SpreadFeature } from './spread-feature.js';

type FeatureFields = Pick<FeatureDto, 'name' | 'description' | 'config' | 'unit' | 'usageMetric'>;

/** Creates, replaces, activates and archives features. */
@Injectable()
export class WriteFeature {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly spread: SpreadFeature,
  ) {}

  /** @throws DomainError `already_exists`, `validation_failed`, `unknown_reference` */
  create(tenantId: string, body: NewFeatureDto): Promise<FeatureJson> {
    return refusingDuplicates({ feature_pkey: 'id' }, () =>
      this.database.tenant(tenantId, async (tx) => {
        const isActive = body.status === 'active';
        const row = Object.assign(new FeatureRow(), {
          tenantId,
          id: body.id ?? newUuid(),
          version: 1,
          status: body.status ?? ('draft' as const),
          type: body.type,
          activatedAt: isActive ? tx.now : null,
          ...(await this.columns(tx, body.type, body, null)),
          createdAt: tx.now,
          updatedAt: tx.now,
        } satisfies FeatureRow);
        await tables.features.insert(tx, row);
        const json = await representFeature(tx, row);
        await publishFeature(tx, row, json, 'feature.created');
        return json;
      }),
    );
  }

  /**
   * Replaces name, description, config, unit and metric.
   * @throws DomainError `not_found`, `validation_failed`, `unknown_reference`; `in_use` when a value that somebody has is no longer allowed
   */
  replace(tenantId: string, id: string, body: FeatureDto): Promise<FeatureJson> {
    return this.database.tenant(tenantId, async (tx) => {
      await lockFeatures(tx);
      const row = await findFeature(tx, id, { lock: 'update' });
      const columns = await this.columns(tx, row.type, body, row);
      if (JSON.stringify(columns.config) !== JSON.stringify(row.config))
        await refuseLostValues(tx, row, columns.config);
      return this.save(tx, Object.assign(row, columns));
    });
  }

  /**
   * draft or archived → active, draft or active → archived; repeating it changes nothing.
   * @throws DomainError `not_found`, `invalid_status_transition`
   */
  async setStatus(tenantId: string, id: string, status: FeatureRow['status']): Promise<FeatureJson> {
    let first = false;
    const json = await this.database.tenant(tenantId, async (tx) => {
      await lockFeatures(tx);
      const row = await findFeature(tx, id, { lock: 'update' });
      if (row.status === status) return representFeature(tx, row);
      if (status === 'draft') throw invalidTransition('feature', row.status, 'draft');
      row.status = status;
      if (status === 'archived') return this.save(tx, row, 'feature.archived');
      first = row.activatedAt === null;
      row.activatedAt ??= tx.now;
      if (first) await this.spread.schedule(tx, { feature: row.id });
      return this.save(tx, row, 'feature.activated');
    });
    if (first) await this.spread.begin(tenantId, { feature: id });
    return json;
  }

  private async save(
    tx: TenantTx,
    row: FeatureRow,
    notice?: 'feature.archived' | 'feature.activated',
  ): Promise<FeatureJson> {
    row.version += 1;
    row.updatedAt = tx.now;
    await tables.features.update(tx, row);
    const json = await representFeature(tx, row);
    await publishFeature(tx, row, json, notice);
    return json;
  }

  private async columns(tx: TenantTx, type: FeatureType, body: FeatureFields, before: FeatureRow | null) {
    const config = readConfig(type, body.config);
    if ('violation' in config)
      throw new DomainError('validation_failed', { detail: config.violation.message, violations: [config.violation] });
    const unitId = await optionalReferenceTo(tx, tables.units, body.unit, 'unit', {
      label: 'unit',
      before: before?.unitId ?? null,
    });
    return {
      name: body.name.trim(),
      description: textOrNull(body.description),
      config: config.value,
      unitId,
      usageMetricId: await this.metricOf(tx, type, body.usageMetric ?? null),
    };
  }

  private async metricOf(tx: TenantTx, type: FeatureType, wanted: string | null): Promise<string | null> {
    if (wanted === null) return null;
    if (type !== 'quantity' && type !== 'range')
      throw validationFailed('usageMetric', 'Only what a quantity or range allows is used up.', 'not_allowed');
    const id = wanted.toLowerCase();
    const metric = await this.replicas.get<UsageMetricState>(tx, 'usage_metric', id);
    if (!metric) throw unknownReference('usageMetric', 'usage metric');
    return id;
  }
}

/** A config keeps allowing what was given under it. */
async function refuseLostValues(tx: TenantTx, { id, type }: FeatureRow, config: FeatureRow['config']): Promise<void> {
  const values = await tx.query<{ value: string }>(
    `SELECT DISTINCT value FROM (
       SELECT value FROM feature_assignment WHERE tenant_id = $1 AND feature_id = $2
       UNION SELECT value FROM entitlement WHERE tenant_id = $1 AND feature_id = $2) v`,
    [tx.tenantId, id],
  );
  const lost = values.filter(({ value }) => 'violation' in readValue(type, config, value)).map(({ value }) => value);
  if (lost.length === 0) return;
  const message = `The config must go on allowing values that are given: ${lost.slice(0, 10).join(', ')}.`;
  throw new DomainError('in_use', {
    detail: message,
    violations: [{ propertyPath: 'config', message, code: 'in_use' }],
  });
}
