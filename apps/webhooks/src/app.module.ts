import { Module } from '@nestjs/common';
import { ActivitiesController, CustomerActivitiesController } from './activities/activities.controller.js';
import { ReadActivities } from './activities/activity.read.js';
import { AddComment } from './activities/add-comment.js';
import { PinActivity } from './activities/pin-activity.js';
import { RecordActivities } from './activities/record-activities.js';
import { AttemptDelivery } from './deliveries/attempt-delivery.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { ReadDeliveries } from './deliveries/delivery.read.js';
import { Dispatcher } from './deliveries/dispatcher.js';
import { LaneTurn } from './deliveries/lane-turn.js';
import { Redeliver } from './deliveries/redeliver.js';
import { CreateWebhook } from './endpoints/create-webhook.js';
import { DeleteWebhook } from './endpoints/delete-webhook.js';
import { ReplaceWebhook } from './endpoints/replace-webhook.js';
import { RotateSecret } from './endpoints/rotate-secret.js';
import { TestWebhook } from './endpoints/test-webhook.js';
import { WebhookActionsController } from './endpoints/webhook-actions.controller.js';
import { ReadWebhooks } from './endpoints/webhook.read.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { EventsController } from './event-log/events.controller.js';
import { ReadEvents } from './event-log/events.read.js';
import { OnAnyEvent } from './event-log/on-any-event.js';
import { RecordEvents } from './event-log/record-events.js';
import { StoredNotices } from './event-log/stored-notices.js';

const endpoints = [CreateWebhook, ReplaceWebhook, DeleteWebhook, RotateSecret, TestWebhook, ReadWebhooks];
const deliveries = [AttemptDelivery, LaneTurn, Dispatcher, Redeliver, ReadDeliveries];
const log = [RecordEvents, StoredNotices, ReadEvents, RecordActivities, ReadActivities, AddComment, PinActivity];

@Module({
  controllers: [
    WebhooksController,
    WebhookActionsController,
    DeliveriesController,
    EventsController,
    CustomerActivitiesController,
    ActivitiesController,
    OnAnyEvent,
  ],
  providers: [...endpoints, ...deliveries, ...log],
})
export class WebhooksModule {}
