import { Module } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { ChangeAgreement } from './change-agreement.js';
import { ChangeDiscounts } from './change-discounts.js';
import { ChangeItems } from './change-items.js';
import { ChangePlan } from './change-plan.js';
import { ChangeSubscription } from './change-subscription.js';
import { CreateSubscription } from './create-subscription.js';
import { SubscriptionLifecycle } from './lifecycle.js';
import { PassTimeHandler } from './pass-time.handler.js';
import { PlanChangesController } from './plan-changes.controller.js';
import { ReadPlanOptions } from './plan-options.read.js';
import { PreviewAgreement } from './preview-agreement.js';
import { PreviewChange } from './preview-change.js';
import { PreviewController } from './preview.controller.js';
import { PreviewInvoice } from './preview-invoice.js';
import { SaveAgreement } from './save-agreement.js';
import { SubscriptionItemsController } from './subscription-items.controller.js';
import { ReadSubscriptions } from './subscription.read.js';
import { SubscriptionSource } from './subscription.replica-source.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { ReadTimeline } from './timeline.js';

/** Subscriptions and their items: agreements, their changes, and what these cost. */
@Module({
  imports: [ChargingModule, CouponsModule, PreviewModule],
  controllers: [SubscriptionsController, SubscriptionItemsController, PlanChangesController, PreviewController],
  providers: [
    CreateSubscription,
    SubscriptionLifecycle,
    ChangeSubscription,
    ChangeItems,
    ApplyDiscounts,
    ChangeDiscounts,
    ChangeAgreement,
    SaveAgreement,
    ReadSubscriptions,
    PassTimeHandler,
    SubscriptionSource,
    ChangePlan,
    ReadPlanOptions,
    PreviewAgreement,
    PreviewChange,
    PreviewInvoice,
    ReadTimeline,
  ],
  exports: [
    ReadSubscriptions,
    SaveAgreement,
    CreateSubscription,
    SubscriptionLifecycle,
    PreviewInvoice,
    PreviewAgreement,
    ChangeItems,
    ChangeAgreement,
    ChangeSubscription,
  ],
})
export class SubscriptionsModule {}
