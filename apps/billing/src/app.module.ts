import { Module } from '@nestjs/common';
import { AnonymizationModule } from './anonymization/anonymization.module.js';
import { ArchivingModule } from './archiving/archiving.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { BillingRunsModule } from './billing-runs/billing-runs.module.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { EntitlementsModule } from './entitlements/entitlements.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { MeasurementsModule } from './measurements/measurements.module.js';
import { MergingModule } from './merging/merging.module.js';
import { SalesModule } from './sales/sales.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';

@Module({
  imports: [
    AnalyticsModule,
    SettingsModule,
    CustomersModule,
    CatalogueModule,
    SubscriptionsModule,
    ArchivingModule,
    AnonymizationModule,
    EntitlementsModule,
    ContactsModule,
    MergingModule,
    ImportsModule,
    MeasurementsModule,
    BillingRunsModule,
    SalesModule,
  ],
})
export class BillingModule {}
