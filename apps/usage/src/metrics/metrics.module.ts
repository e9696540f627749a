import { Module } from '@nestjs/common';
import { RollupsModule } from '../rollups/rollups.module.js';
import { MeasureUsage } from './measure-usage.js';

/** Metrics: what is counted, kept as rollups and asked for. */
@Module({ imports: [RollupsModule], providers: [MeasureUsage], exports: [MeasureUsage] })
export class MetricsModule {}
