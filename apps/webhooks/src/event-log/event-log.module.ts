import { Module } from '@nestjs/common';
import { ActivitiesModule } from '../activities/activities.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsController } from './events.controller.js';
import { ReadEvents } from './events.read.js';
import { OnAnyEvent } from './on-any-event.js';
import { RecordEvents } from './record-events.js';
import { StoredNotices } from './stored-notices.js';
import { TestWebhookController } from './test-webhook.controller.js';
import { TestWebhook } from './test-webhook.js';

/** Turns events of all services into log entries, queued deliveries and activities. */
@Module({
  imports: [DeliveriesModule, ActivitiesModule],
  controllers: [EventsController, TestWebhookController, OnAnyEvent],
  providers: [RecordEvents, StoredNotices, ReadEvents, TestWebhook],
})
export class EventLogModule {}
