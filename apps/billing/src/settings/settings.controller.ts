import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, List, type ListQuery, listRows, Operation, page, type Page } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { type BillingSettings, billingSettingsSchema } from '../domain/settings/billing-settings.schema.js';
import { effectiveSettings } from '../domain/settings/billing-settings.js';
import { AddCustomField, type CustomFieldJson, MAX_CUSTOM_FIELDS, representCustomField } from './add-custom-field.js';
import { ChangeSettings, loadSettings } from './change-settings.js';
import { CUSTOM_FIELD_OBJECTS, CustomFieldDto } from './custom-field.dto.js';
import { BillingSettingsDto } from './settings.dto.js';
import { customFieldSchema } from './settings.schema.js';
import { TenantSetup } from './tenant-setup.js';

@Controller()
export class SettingsController {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
    private readonly changeSettings: ChangeSettings,
    private readonly addCustomField: AddCustomField,
  ) {}

  @Get('settings/billing')
  @Operation({
    id: 'getBillingSettings',
    summary: 'Billing settings of the tenant',
    tag: 'Settings',
    permission: 'settings:read',
    response: billingSettingsSchema,
  })
  read(@Caller() { tenantId }: Principal): Promise<BillingSettings> {
    return this.database.tenant(tenantId, async (tx) =>
      effectiveSettings((await loadSettings(tx, this.setup, { lock: false })).values),
    );
  }

  @Put('settings/billing')
  @Operation({
    id: 'updateBillingSettings',
    summary: 'Change the supplied billing settings',
    tag: 'Settings',
    permission: 'settings:write',
    response: billingSettingsSchema,
  })
  change(@Caller() { tenantId }: Principal, @Body() body: BillingSettingsDto): Promise<BillingSettings> {
    return this.changeSettings.execute(tenantId, body as never);
  }

  @Get('custom-fields')
  @Operation({
    id: 'listCustomFields',
    summary: 'Configured custom fields',
    tag: 'Settings',
    permission: 'settings:read',
    response: customFieldSchema,
  })
  list(
    @Caller() { tenantId }: Principal,
    @List({ filters: { object: CUSTOM_FIELD_OBJECTS, key: 'text' }, order: ['key', 'createdAt'] }) list: ListQuery,
  ): Promise<Page<CustomFieldJson>> {
    const options = {
      table: tables.customFields,
      columns: { object: 'object', key: 'key', createdAt: 'created_at' },
    };
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, options);
        return page(rows.map(representCustomField), total, list);
      },
      { readOnly: true },
    );
  }

  @Post('custom-fields')
  @Operation({
    id: 'createCustomField',
    summary: 'Configure a custom field',
    description: `At most ${MAX_CUSTOM_FIELDS} of all objects together: 422 \`too_many_custom_fields\`.`,
    tag: 'Settings',
    permission: 'settings:write',
    success: 201,
    response: customFieldSchema,
  })
  add(@Caller() { tenantId }: Principal, @Body() body: CustomFieldDto): Promise<CustomFieldJson> {
    return this.addCustomField.execute(tenantId, body);
  }
}
