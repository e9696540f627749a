import { type Notice, settingsChangedV1, type TenantState } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { BillingSettingsRow } from '../db/settings.row.js';
import { effectiveSettings } from '../domain/settings/billing-settings.js';

/** What other services copy: every setting with its value, and the configuration of custom fields. */
export async function settingsState(tx: TenantTx, row: BillingSettingsRow): Promise<Record<string, unknown>> {
  const fields = await tables.customFields.find(tx, {}, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const customFieldDefinitions = fields.map(({ object, key, type, options, required }) => ({
    object,
    key,
    type,
    options,
    required,
  }));
  return { ...effectiveSettings(row.values), customFieldDefinitions };
}

/** Stores the settings with their next version and publishes them. */
export async function saveSettings(tx: TenantTx, row: BillingSettingsRow, notices: Notice[]): Promise<void> {
  row.version += 1;
  row.updatedAt = tx.now;
  await tables.billingSettings.update(tx, row);
  await publishSettings(tx, row, notices);
}

export async function publishSettings(tx: TenantTx, row: BillingSettingsRow, notices: Notice[]): Promise<void> {
  await appendEvent(tx, settingsChangedV1, {
    aggregateId: tx.tenantId,
    aggregateSeq: row.version,
    payload: { id: tx.tenantId, version: row.version, deleted: false, state: await settingsState(tx, row), notices },
  });
}

/** The tenant's settings changed: webhook and entry `tenant.updated`. */
export const tenantUpdated = (tenantId: string, tenant: TenantState | null, changed: readonly string[]): Notice => ({
  type: 'tenant.updated',
  objectId: tenantId,
  data: tenant ? { tenant: { ...tenant } } : null,
  customerId: null,
  activity: { metadata: { changed } },
});
