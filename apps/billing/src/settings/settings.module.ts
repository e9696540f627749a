import { Module } from '@nestjs/common';
import { AddCustomField } from './add-custom-field.js';
import { ChangeSettings } from './change-settings.js';
import { GoLiveController } from './go-live.controller.js';
import { OnTenantChanged } from './on-tenant-changed.js';
import { SettingsController } from './settings.controller.js';
import { SettingsSource } from './settings.replica-source.js';
import { TenantSetup } from './tenant-setup.js';

/** The tenant's billing settings and custom field definitions, and what a new tenant starts with. */
@Module({
  controllers: [SettingsController, GoLiveController, OnTenantChanged],
  providers: [TenantSetup, ChangeSettings, AddCustomField, SettingsSource],
  exports: [TenantSetup],
})
export class SettingsModule {}
