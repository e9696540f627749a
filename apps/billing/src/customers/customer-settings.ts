import { DomainError } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { changedKeys, CUSTOMER_SETTINGS, OVERRIDABLE_SETTINGS } from '../domain/settings/billing-settings.js';
import { rescheduleAccounts } from '../billing-accounts/accounts.js';
import { tenantZone } from '../settings/tenant.js';
import { findCustomer } from './customer.read.js';
import { lockCustomer, saveCustomer } from './customer-aggregate.js';
import { lockMeteredAccount } from './metered-account.js';

const KEYS: readonly string[] = [...OVERRIDABLE_SETTINGS, ...CUSTOMER_SETTINGS];

/** Every key that a customer may override or has alone; null: the tenant's value holds, or there is none. */
const shown = (stored: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(KEYS.map((key) => [key, stored[key] ?? null]));

export async function readCustomerSettings(tx: TenantTx, id: string): Promise<Record<string, unknown>> {
  return shown((await findCustomer(tx, id)).settings);
}

/**
 * Changes the supplied overrides; null goes back to the tenant's value.
 * @throws DomainError `not_found`; `time_zone_in_use` for another time zone once usage was billed by its days
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
    // Only a change of the time zone has to do with billing, whose lock comes before the customer's.
    const account = changes.timeZone === undefined ? null : await lockMeteredAccount(tx, id);
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
      const runsBy = await tenantZone(tx, this.replicas);
      const timeZone =
        changes.timeZone === undefined ? customer.timeZone : ((after.timeZone as string | null) ?? runsBy);
      const isMoved = timeZone !== customer.timeZone;
      if (isMoved && account?.isMetered) throw zoneInUse(customer.timeZone);
      customer.timeZone = timeZone;
      await saveCustomer(tx, aggregate, [
        { type: 'customer.updated', metadata: { changed: changed.map((key) => `settings.${key}`) } },
      ]);
      // What is being rated by the days of the former zone is rated again.
      if (isMoved && account) await rescheduleAccounts(tx, [id], runsBy);
    }
    return { settings: after, version: customer.version };
  }
}

const zoneInUse = (zone: string): DomainError =>
  new DomainError('time_zone_in_use', {
    detail: `Usage has been billed by days of ${zone}: in another zone hours of it would be billed twice, or not at all.`,
    violations: [
      {
        propertyPath: 'timeZone',
        message: 'timeZone cannot be changed once usage was billed.',
        code: 'time_zone_in_use',
      },
    ],
  });
