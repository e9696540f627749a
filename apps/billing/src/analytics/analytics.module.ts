import { Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.js';
import { ReadRecurring } from './read-recurring.js';
import { ReadUsageReport } from './read-usage-report.js';

/** Figures about subscriptions. */
@Module({ controllers: [AnalyticsController], providers: [ReadRecurring, ReadUsageReport] })
export class AnalyticsModule {}
