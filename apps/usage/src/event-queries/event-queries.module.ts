import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { DiscoverEvents } from './discover-events.js';
import { UsageEventQueriesController } from './usage-event-queries.controller.js';

/** Stored events: one, a list, and what names and properties there are. */
@Module({
  imports: [CustomersModule],
  controllers: [UsageEventQueriesController],
  providers: [DiscoverEvents],
})
export class EventQueriesModule {}
