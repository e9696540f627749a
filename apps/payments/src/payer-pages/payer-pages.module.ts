import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { PaymentLinksModule } from '../payment-links/payment-links.module.js';
import { OpenPayerPage } from './open-payer-page.js';
import { PayOtherwise } from './pay-otherwise.js';
import { PayerPagesController } from './payer-pages.controller.js';
import { PayerPagesInternal } from './payer-pages.internal.js';
import { TakeStep } from './take-step.js';

/** Pages on which payers do what a collection waits for. */
@Module({
  imports: [CollectionsModule, PaymentLinksModule],
  controllers: [PayerPagesController, PayerPagesInternal],
  providers: [OpenPayerPage, PayOtherwise, TakeStep],
})
export class PayerPagesModule {}
