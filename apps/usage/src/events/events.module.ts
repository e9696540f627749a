import { Module } from '@nestjs/common';
import { CustomerReferencesController } from './customer-references.controller.js';
import { DiscoverEvents } from './discover-events.js';
import { FindCustomers } from './find-customers.js';
import { IngestEvents } from './ingest-events.js';
import { UsageEventReadsController } from './usage-event-reads.controller.js';
import { UsageEventController } from './usage-event.controller.js';

@Module({
  controllers: [UsageEventController, UsageEventReadsController, CustomerReferencesController],
  providers: [FindCustomers, IngestEvents, DiscoverEvents],
  exports: [FindCustomers, IngestEvents],
})
export class EventsModule {}
