import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { MeasurementModule } from '../measurement/measurement.module.js';
import { CheckThresholdsHandler } from './check-thresholds.handler.js';
import { CreateThreshold } from './create-threshold.js';
import { DeleteThreshold } from './delete-threshold.js';
import { ThresholdsController } from './thresholds.controller.js';

/** Publishes when a customer's usage of a month reaches a value. */
@Module({
  imports: [CustomersModule, MeasurementModule],
  controllers: [ThresholdsController],
  providers: [CreateThreshold, DeleteThreshold, CheckThresholdsHandler],
})
export class ThresholdsModule {}
