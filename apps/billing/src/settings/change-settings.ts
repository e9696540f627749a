import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { featureNotEnabled, ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import type { BillingSettingsRow } from '../db/settings.row.js';
import type { BillingSettings } from '../domain/settings/billing-settings.schema.js';
import {
  changedKeys,
  effectiveSettings,
  mergeSettings,
  trimmed,
  withoutEmptied,
} from '../domain/settings/billing-settings.js';
import { collidingFormats } from '../domain/settings/number-format.js';
import { saveSettings, tenantUpdated } from './settings-aggregate.js';
import { TenantSetup } from './tenant-setup.js';

type Json = Record<string, unknown>;

/** The tenant's settings row, which exists once the tenant is set up; locked for those who change it. */
export async function loadSettings(
  tx: TenantTx,
  setup: TenantSetup,
  options: { lock: boolean },
): Promise<BillingSettingsRow> {
  await setup.ensure(tx);
  return tables.billingSettings.findOneOrFail(tx, {}, options.lock ? { lock: 'update' } : {});
}

/**
 * Changes the supplied billing settings; objects in them key by key.
 * @throws DomainError `feature_not_enabled` (403: custom PDF rendering outside the enterprise plan),
 * `validation_failed`
 */
@Injectable()
export class ChangeSettings {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly setup: TenantSetup,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, changes: Json): Promise<BillingSettings> {
    const { settings, version } = await this.database.tenant(tenantId, (tx) => this.change(tx, changes));
    await this.freshness.copied('settings', tenantId, tenantId, version);
    return settings;
  }

  private async change(tx: TenantTx, changes: Json): Promise<{ settings: BillingSettings; version: number }> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const row = await loadSettings(tx, this.setup, { lock: true });
    const before = effectiveSettings(row.values);
    const values = withoutEmptied(mergeSettings(row.values, trimmed(changes)));
    const after = effectiveSettings(values);
    const changed = changedKeys(before as never, after as never);
    if (changed.includes('customPdfRendering') && tenant?.plan !== 'enterprise')
      throw featureNotEnabled('customPdfRendering');
    const colliding = collidingFormats(after.numberFormats);
    if (colliding)
      throw validationFailed(
        `numberFormats.${colliding[1]}`,
        `The numbers of ${colliding.join(' and ')} would be the same.`,
      );
    if (changed.length > 0) {
      row.values = values;
      await saveSettings(tx, row, [tenantUpdated(tx.tenantId, tenant, changed)]);
    }
    return { settings: after, version: row.version };
  }
}
