import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { ArchiveUsageMetric } from './archive-usage-metric.js';
import { CreateUsageMetric } from './create-usage-metric.js';
import { QueryUsage } from './query-usage.js';
import { ReplaceUsageMetric } from './replace-usage-metric.js';
import { UsageMetricSource } from './usage-metric.replica-source.js';
import { UsageMetricsController } from './usage-metrics.controller.js';

/** What is counted: metrics and questions about them. */
@Module({
  imports: [CustomersModule],
  controllers: [UsageMetricsController],
  providers: [CreateUsageMetric, ReplaceUsageMetric, ArchiveUsageMetric, QueryUsage, UsageMetricSource],
})
export class MetricsModule {}
