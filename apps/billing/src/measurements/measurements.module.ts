import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { MeasurementSource } from './measurement-source.js';
import { SubscriptionMeasurementsController } from './measurements.controller.js';
import { RecordBatch } from './record-batch.js';
import { RecordMeasurements } from './record-measurements.js';

/** Readings of what subscription items are measured by. */
@Module({
  imports: [MeteringModule, SubscriptionsModule],
  controllers: [SubscriptionMeasurementsController],
  providers: [MeasurementSource, RecordBatch, RecordMeasurements],
})
export class MeasurementsModule {}
