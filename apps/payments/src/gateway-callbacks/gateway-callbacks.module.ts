import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { ReturnsModule } from '../returns/returns.module.js';
import { ActOnNotices } from './act-on-notices.js';
import { CallbacksController } from './callbacks.controller.js';
import { ReceiveCallback } from './receive-callback.js';

/** What payment providers report by themselves. */
@Module({
  imports: [CollectionsModule, ReturnsModule, PaymentMethodsModule],
  controllers: [CallbacksController],
  providers: [ReceiveCallback, ActOnNotices],
})
export class GatewayCallbacksModule {}
