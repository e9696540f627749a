import { Module } from '@nestjs/common';
import { MeasureUsage } from './measure-usage.js';

/** How much was used, from rollups and events. */
@Module({ providers: [MeasureUsage], exports: [MeasureUsage] })
export class MeasurementModule {}
