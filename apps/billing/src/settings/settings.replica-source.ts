import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { TenantSetup } from './tenant-setup.js';
import { settingsState } from './settings-aggregate.js';

/** Billing settings for the services that copy them; one object per tenant, named by the tenant's id. */
@ReplicaSource('settings')
export class SettingsSource implements ReplicaProvider {
  constructor(private readonly setup: TenantSetup) {}

  async ensure(tx: TenantTx): Promise<void> {
    await this.setup.ensureIfKnown(tx);
  }

  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const row = id === tx.tenantId ? await tables.billingSettings.findOne(tx, {}) : null;
    return row && { version: row.version, data: await settingsState(tx, row) };
  }

  async page(tx: TenantTx, after: string | null): Promise<OwnedObject[]> {
    const object = after === null ? await this.fetch(tx, tx.tenantId) : null;
    return object ? [{ id: tx.tenantId, ...object }] : [];
  }
}
