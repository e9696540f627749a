import { Module } from '@nestjs/common';
import { AttemptDelivery } from './attempt-delivery.js';
import { DeliveriesController, WebhookDeliveriesController } from './deliveries.controller.js';
import { ReadDeliveries } from './delivery.read.js';
import { Dispatcher } from './dispatcher.js';
import { LaneTurn } from './lane-turn.js';
import { Redeliver } from './redeliver.js';

/** Sends what is queued for the receivers. */
@Module({
  controllers: [WebhookDeliveriesController, DeliveriesController],
  providers: [AttemptDelivery, LaneTurn, Dispatcher, Redeliver, ReadDeliveries],
  exports: [Dispatcher, ReadDeliveries],
})
export class DeliveriesModule {}
