import { Module } from '@nestjs/common';
import { BillingRunsModule } from '../billing-runs/billing-runs.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { ChangeAgreement } from './change-agreement.js';
import { ChangeItems } from './change-items.js';
import { ChangeSubscription } from './change-subscription.js';
import { CreateSubscription } from './create-subscription.js';
import { SubscriptionLifecycle } from './lifecycle.js';
import { PassTimeHandler } from './pass-time.handler.js';
import { SaveAgreement } from './save-agreement.js';
import { SubscriptionItemsController } from './subscription-items.controller.js';
import { ReadSubscriptions } from './subscription.read.js';
import { SubscriptionSource } from './subscription.replica-source.js';
import { SubscriptionsController } from './subscriptions.controller.js';

/** Subscriptions and their items. */
@Module({
  imports: [BillingRunsModule, PreviewModule],
  controllers: [SubscriptionsController, SubscriptionItemsController],
  providers: [
    CreateSubscription,
    SubscriptionLifecycle,
    ChangeSubscription,
    ChangeItems,
    ChangeAgreement,
    SaveAgreement,
    ReadSubscriptions,
    PassTimeHandler,
    SubscriptionSource,
  ],
})
export class SubscriptionsModule {}
