import { CustomerMergesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { ActivitiesModule } from './activities/activities.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EventLogModule } from './event-log/event-log.module.js';
import { KeepLog } from './merging/keep-log.js';

@Module({
  imports: [EndpointsModule, DeliveriesModule, EventLogModule, ActivitiesModule, CustomerMergesModule.with(KeepLog)],
})
export class WebhooksModule {}
