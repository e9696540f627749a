import { Module } from '@nestjs/common';
import { CustomerReferencesController } from './customer-references.controller.js';
import { DiscoverEvents } from './discover-events.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { UsageEventReadsController } from './usage-event-reads.controller.js';
import { UsageEventController } from './usage-event.controller.js';

@Module({
  controllers: [UsageEventController, UsageEventReadsController, CustomerReferencesController],
  imports: [IngestModule],
  providers: [DiscoverEvents],
  exports: [IngestModule],
})
export class EventsModule {}
