import { Injectable } from '@nestjs/common';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { changedKeys, CUSTOMER_SETTINGS, OVERRIDABLE_SETTINGS } from '../domain/settings/billing-settings.js';
import { tenantZone } from '../settings/tenant.js';
import { findCustomer } from './customer.read.js';
import { lockCustomer, saveCustomer } from './customer-aggregate.js';

const KEYS: readonly string[] = [...OVERRIDABLE_SETTINGS, ...CUSTOMER_SETTINGS];

/** Every key that a customer may override or has alone; null: the tenant's value holds, or there is none. */
const shown = (stored: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(KEYS.map((key) => [key, stored[key] ?? null]));

export async function readCustomerSettings(tx: TenantTx, id: string): Promise<Record<string, unknown>> {
  return shown((await findCustomer(tx, id)).settings);
}

/**
 * Changes the supplied overrides; null goes back to the tenant's value.
 * @throws DomainError `not_found`
 */
@Injectable()
export class ChangeCustomerSettings {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(
    tenantId: string,
    id: string,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    const { settings, version } = await this.database.tenant(tenantId, (tx) => this.change(tx, id, changes));
    await this.freshness.copied('customer', tenantId, id, version);
    return settings;
  }

  private async change(tx: TenantTx, id: string, changes: Readonly<Record<string, unknown>>) {
    const aggregate = await lockCustomer(tx, id);
    const { customer } = aggregate;
    const before = shown(customer.settings);
    const supplied = Object.fromEntries(
      Object.entries(changes).filter(([key, value]) => KEYS.includes(key) && value !== undefined),
    );
    const after = { ...before, ...supplied };
    const changed = changedKeys(before, after);
    if (changed.length > 0) {
      customer.settings = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
      customer.timeZone = (after.timeZone as string | null) ?? (await tenantZone(tx, this.replicas));
      await saveCustomer(tx, aggregate, [
        { type: 'customer.updated', metadata: { changed: changed.map((key) => `settings.${key}`) } },
      ]);
    }
    return { settings: after, version: customer.version };
  }
}
