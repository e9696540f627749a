import { Module } from '@nestjs/common';
import { CustomerReferencesController } from './customer-references.controller.js';
import { DiscoverEvents } from './discover-events.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { UsageEventReadsController } from './usage-event-reads.controller.js';
import { UsageEventController } from './usage-event.controller.js';
import { VoidUsageEvent } from './void-usage-event.js';
import { VoidUsageEventController } from './void-usage-event.controller.js';

@Module({
  controllers: [UsageEventController, UsageEventReadsController, VoidUsageEventController, CustomerReferencesController],
  imports: [IngestModule],
  providers: [DiscoverEvents, VoidUsageEvent],
  exports: [IngestModule],
})
export class EventsModule {}
