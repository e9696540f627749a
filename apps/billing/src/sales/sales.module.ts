import { Module } from '@nestjs/common';
import { PreviewModule } from '../preview/preview.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { CancelByNotice } from './cancel-by-notice.js';
import { CreateSale } from './create-sale.js';
import { SaleSteps } from './sale-steps.js';
import { AcceptSale } from './accept-sale.js';
import { QuoteAgreement } from './quote-agreement.js';
import { QuoteSubscription } from './quote-subscription.js';
import { SalesInternal } from './sales.internal.js';

/** What offers and carts sell becomes subscriptions here. */
@Module({
  imports: [ChargingModule, CustomersModule, PreviewModule, SubscriptionsModule],
  controllers: [SalesInternal],
  providers: [QuoteAgreement, QuoteSubscription, AcceptSale, CancelByNotice, CreateSale, SaleSteps],
})
export class SalesModule {}
