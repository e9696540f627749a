import { Module } from '@nestjs/common';
import { CustomerReferencesController } from './events/customer-references.controller.js';
import { FindCustomers } from './events/find-customers.js';
import { IngestEvents } from './events/ingest-events.js';
import { UsageEventController } from './events/usage-event.controller.js';

@Module({
  controllers: [UsageEventController, CustomerReferencesController],
  providers: [FindCustomers, IngestEvents],
})
export class UsageModule {}
