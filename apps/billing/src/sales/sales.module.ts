import { Module } from '@nestjs/common';
import { PreviewModule } from '../preview/preview.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { AcceptSale } from './accept-sale.js';
import { QuoteAgreement } from './quote-agreement.js';
import { QuoteSubscription } from './quote-subscription.js';
import { SalesInternal } from './sales.internal.js';

/** What offers and carts sell becomes subscriptions here. */
@Module({
  imports: [PreviewModule, SubscriptionsModule],
  controllers: [SalesInternal],
  providers: [QuoteAgreement, QuoteSubscription, AcceptSale],
})
export class SalesModule {}
