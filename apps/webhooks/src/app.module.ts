import { Module } from '@nestjs/common';
import { ActivitiesModule } from './activities/activities.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EventLogModule } from './event-log/event-log.module.js';

@Module({ imports: [EndpointsModule, DeliveriesModule, EventLogModule, ActivitiesModule] })
export class WebhooksModule {}
