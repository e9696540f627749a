import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { CheckThresholdsHandler } from './check-thresholds.handler.js';
import { CreateThreshold } from './create-threshold.js';
import { DeleteThreshold } from './delete-threshold.js';
import { ThresholdsController } from './thresholds.controller.js';

/** Telling when a customer's usage of a month reaches a limit. */
@Module({
  imports: [MetricsModule],
  controllers: [ThresholdsController],
  providers: [CreateThreshold, DeleteThreshold, CheckThresholdsHandler],
})
export class ThresholdsModule {}
