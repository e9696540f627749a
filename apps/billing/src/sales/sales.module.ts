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
import { ChangeByOffer } from './change-by-offer.js';
import { OfferEffect } from './offer-effect.js';
import { OfferSale } from './offer-sale.js';
import { OfferedSubscription } from './offered-subscription.js';
import { ReadOnSale } from './read-on-sale.js';
import { SellOnce } from './sell-once.js';
import { SalesInternal } from './sales.internal.js';

/** What offers and carts sell becomes subscriptions here. */
@Module({
  imports: [ChargingModule, CustomersModule, PreviewModule, SubscriptionsModule],
  controllers: [SalesInternal],
  providers: [
    QuoteAgreement,
    AcceptSale,
    CancelByNotice,
    CreateSale,
    SaleSteps,
    OfferSale,
    OfferEffect,
    OfferedSubscription,
    ChangeByOffer,
    SellOnce,
    ReadOnSale,
  ],
})
export class SalesModule {}
