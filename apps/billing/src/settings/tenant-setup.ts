import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { onCommit, Replicas, type TenantTx } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { BillingSettingsRow } from '../db/settings.row.js';
import { exampleSeller } from '../domain/settings/billing-settings.js';
import { publishSettings } from './settings-aggregate.js';
import { tenantOf } from './tenant.js';

/** Stores what another capability gives a new tenant. */
export type TenantSeed = (tx: TenantTx) => Promise<void>;

/**
 * Gives a tenant what it starts with: its settings row (with example seller data in a sandbox) and the seeds that other
 * capabilities have registered. Called when the tenant appears, and by use cases that need a setting or a seed; the
 * settings row decides, so it happens once.
 */
@Injectable()
export class TenantSetup {
  private readonly done = new Set<string>();
  private readonly seeds: TenantSeed[] = [];

  constructor(private readonly replicas: Replicas) {}

  register(seed: TenantSeed): void {
    this.seeds.push(seed);
  }

  /**
   * `known`: the tenant where the caller has it at hand, else it is looked up.
   * @throws ServiceUnavailable nobody knows the tenant
   */
  async ensure(tx: TenantTx, known?: TenantState): Promise<void> {
    if (!(await this.ensureIfKnown(tx, known))) throw new ServiceUnavailable('identity');
  }

  /**
   * {@link ensure} for services that ask: false, and nothing done, while nobody knows the tenant. A sandbox's clock is set
   * everywhere before the tenant is committed, and due work that this starts may ask for settings at once; given then,
   * they would stay those of no tenant.
   */
  async ensureIfKnown(tx: TenantTx, known?: TenantState): Promise<boolean> {
    const { tenantId } = tx;
    if (this.done.has(tenantId)) return true;
    if (!(await tables.billingSettings.exists(tx, {}))) {
      const tenant = known ?? (await tenantOf(tx, this.replicas));
      if (!tenant) return false;
      await this.setUp(tx, tenant);
    }
    // Only after the commit: a transaction that is rolled back may have seen its own insert.
    onCommit(tx, () => void this.done.add(tenantId));
    return true;
  }

  private async setUp(tx: TenantTx, tenant: TenantState): Promise<void> {
    const row = settingsOf(tx, tenant);
    const inserted = await tables.billingSettings.insertMissing(tx, row);
    if (inserted.length === 0) return;
    await publishSettings(tx, row, []);
    for (const seed of this.seeds) await seed(tx);
  }
}

const settingsOf = (tx: TenantTx, tenant: TenantState): BillingSettingsRow =>
  Object.assign(new BillingSettingsRow(), {
    tenantId: tx.tenantId,
    version: 1,
    values: tenant.mode === 'sandbox' ? { seller: exampleSeller(tenant.name) } : {},
    updatedAt: tx.now,
  });
