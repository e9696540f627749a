import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { CloseUsage } from './close-usage.js';
import { ClosingQueue } from './closing-queue.js';
import { ClosingsInternal } from './closings.internal.js';
import { MeasureSteadily } from './measure-steadily.js';
import { TouchedClosingsHandler } from './touched-closings.handler.js';

/** Frozen usage of billed periods, and word of what changes in them afterwards. */
@Module({
  imports: [MetricsModule],
  controllers: [ClosingsInternal],
  providers: [MeasureSteadily, ClosingQueue, CloseUsage, TouchedClosingsHandler],
})
export class ClosingsModule {}
