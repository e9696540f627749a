import { Module } from '@nestjs/common';
import { RollupsModule } from '../rollups/rollups.module.js';
import { ArchiveUsageMetric } from './archive-usage-metric.js';
import { CreateUsageMetric } from './create-usage-metric.js';
import { MeasureUsage } from './measure-usage.js';
import { QueryUsage } from './query-usage.js';
import { ReplaceUsageMetric } from './replace-usage-metric.js';
import { UsageMetricSource } from './usage-metric.replica-source.js';
import { UsageMetricsController } from './usage-metrics.controller.js';

/** Metrics: what is counted, kept as rollups and asked for. */
@Module({
  imports: [RollupsModule],
  controllers: [UsageMetricsController],
  providers: [CreateUsageMetric, ReplaceUsageMetric, ArchiveUsageMetric, QueryUsage, MeasureUsage, UsageMetricSource],
  exports: [MeasureUsage],
})
export class MetricsModule {}
