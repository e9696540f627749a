import { Module } from '@nestjs/common';
import { BillingRunsModule } from '../billing-runs/billing-runs.module.js';
import { ReadSubscriptions } from '../subscriptions/subscription.read.js';
import { SaveAgreement } from '../subscriptions/save-agreement.js';
import { SubscriptionMeasurementsController } from './measurements.controller.js';
import { MeasurementSource } from './measurement-source.js';
import { RecordBatch } from './record-batch.js';
import { RecordMeasurements } from './record-measurements.js';

/** What subscription items are measured by. */
@Module({
  imports: [BillingRunsModule],
  controllers: [SubscriptionMeasurementsController],
  providers: [MeasurementSource, ReadSubscriptions, SaveAgreement, RecordBatch, RecordMeasurements],
})
export class MeasurementsModule {}
