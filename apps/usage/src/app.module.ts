import { CustomerMergesModule, CustomerReferencesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { BreakdownsModule } from './breakdowns/breakdowns.module.js';
import { ClosingsModule } from './closings/closings.module.js';
import { EventQueriesModule } from './event-queries/event-queries.module.js';
import { ReferringUsage } from './event-queries/referring-usage.js';
import { EventVoidingModule } from './event-voiding/event-voiding.module.js';
import { FileImportModule } from './file-import/file-import.module.js';
import { HttpIngestionModule } from './http-ingestion/http-ingestion.module.js';
import { KafkaIngestionModule } from './kafka-ingestion/kafka-ingestion.module.js';
import { MoveUsage } from './merging/move-usage.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { RollupsModule } from './rollups/rollups.module.js';
import { ThresholdsModule } from './thresholds/thresholds.module.js';

@Module({
  imports: [
    HttpIngestionModule,
    EventQueriesModule,
    EventVoidingModule,
    FileImportModule,
    MetricsModule,
    RollupsModule,
    ThresholdsModule,
    BreakdownsModule,
    KafkaIngestionModule,
    ClosingsModule,
    CustomerMergesModule.with(MoveUsage),
    CustomerReferencesModule.with(ReferringUsage),
  ],
})
export class UsageModule {}
