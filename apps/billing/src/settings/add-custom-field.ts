import { Injectable } from '@nestjs/common';
import { newUuid, validationFailed } from '@kontor/kernel';
import { Database, keepWithin, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { refusingDuplicates } from '../db/constraints.js';
import { CustomFieldRow } from '../db/settings.row.js';
import { loadSettings } from './change-settings.js';
import { saveSettings } from './settings-aggregate.js';
import type { CustomFieldDto } from './custom-field.dto.js';
import { TenantSetup } from './tenant-setup.js';

export const representCustomField = (field: CustomFieldRow) => ({
  id: field.id,
  key: field.key,
  name: field.name,
  object: field.object,
  type: field.type,
  options: field.options,
  required: field.required,
  createdAt: field.createdAt.toISOString(),
});
export type CustomFieldJson = ReturnType<typeof representCustomField>;

/** All of them travel with every change of the settings, and are read with every object that can have some. */
export const MAX_CUSTOM_FIELDS = 200;

/**
 * Configures a key that the custom fields of customers, subscriptions, invoices or products may carry.
 * @throws DomainError `already_exists`, `validation_failed`, `too_many_custom_fields`
 */
@Injectable()
export class AddCustomField {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, input: CustomFieldDto): Promise<CustomFieldJson> {
    let version = 0;
    const json = await refusingDuplicates({ custom_field_key_unique: 'key' }, () =>
      this.database.tenant(tenantId, async (tx) => {
        const settings = await loadSettings(tx, this.setup, { lock: true });
        const field = newField(tx, input);
        await keepWithin(tx, tables.customFields, 'too_many_custom_fields', {
          limit: MAX_CUSTOM_FIELDS,
          what: 'custom fields',
        });
        await tables.customFields.insert(tx, field);
        await saveSettings(tx, settings, []);
        version = settings.version;
        return representCustomField(field);
      }),
    );
    await this.freshness.copied('settings', tenantId, tenantId, version);
    return json;
  }
}

function newField(tx: TenantTx, input: CustomFieldDto): CustomFieldRow {
  const type = input.type ?? 'text';
  const options = [...new Set(input.options ?? [])];
  if (type === 'select' && options.length === 0)
    throw validationFailed('options', 'options must have at least one entry for the type select.', 'required');
  if (type !== 'select' && options.length > 0)
    throw validationFailed('options', 'options are allowed for the type select only.');
  return Object.assign(new CustomFieldRow(), {
    tenantId: tx.tenantId,
    id: newUuid(),
    object: input.object ?? 'customer',
    key: input.key,
    name: input.name?.trim() || input.key,
    type,
    options,
    required: input.required ?? false,
    createdAt: tx.now,
  } satisfies CustomFieldRow);
}
