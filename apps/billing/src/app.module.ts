import { Module } from '@nestjs/common';
import { BillingRunsModule } from './billing-runs/billing-runs.module.js';
import { CoreModule } from './core.module.js';
import { MeasurementsModule } from './measurements/measurements.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';

@Module({ imports: [CoreModule, SubscriptionsModule, MeasurementsModule, BillingRunsModule] })
export class BillingModule {}
