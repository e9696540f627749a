import { Module } from '@nestjs/common';
import { PricingModule } from '../pricing/pricing.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { ExportRevenue } from './export-revenue.js';
import { ReadReceivables } from './read-receivables.js';
import { ReadRevenue } from './read-revenue.js';

/** Figures about finalized documents. */
@Module({
  imports: [PricingModule],
  controllers: [AnalyticsController],
  providers: [ReadRevenue, ExportRevenue, ReadReceivables],
})
export class AnalyticsModule {}
