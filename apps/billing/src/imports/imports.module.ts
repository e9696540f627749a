import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ImportLines } from './import-lines.js';
import { Importers } from './importers.js';
import { ImportsController } from './imports.controller.js';
import { RunImportHandler } from './run-import.handler.js';
import { StartImport } from './start-import.js';

/** Files with customers, catalogue and subscriptions, imported line by line. */
@Module({
  imports: [SettingsModule, CustomersModule, SubscriptionsModule],
  controllers: [ImportsController],
  providers: [StartImport, RunImportHandler, ImportLines, Importers],
})
export class ImportsModule {}
