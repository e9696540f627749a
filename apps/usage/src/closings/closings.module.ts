import { Module } from '@nestjs/common';
import { MeasurementModule } from '../measurement/measurement.module.js';
import { CloseUsage } from './close-usage.js';
import { ClosingQueue } from './closing-queue.js';
import { ClosingsInternal } from './closings.internal.js';
import { MeasureClosings } from './measure-closings.js';
import { TouchedClosingsHandler } from './touched-closings.handler.js';

/** Frozen usage of billed periods, and corrections of what changes in them afterwards. */
@Module({
  imports: [MeasurementModule],
  controllers: [ClosingsInternal],
  providers: [MeasureClosings, ClosingQueue, CloseUsage, TouchedClosingsHandler],
})
export class ClosingsModule {}
