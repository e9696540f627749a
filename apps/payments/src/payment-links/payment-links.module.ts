import { Module } from '@nestjs/common';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { AddByLink } from './add-by-link.js';
import { CheckoutMethodsInternal } from './checkout-methods.internal.js';
import { CreateMethodLink } from './create-method-link.js';
import { LinkPagesController } from './link-pages.controller.js';
import { OpenLink } from './open-link.js';
import { PaymentLinksController } from './payment-links.controller.js';
import { ReturnFromProvider } from './return-from-provider.js';

/** Links to the public pages on which customers add their way to pay. */
@Module({
  imports: [PaymentMethodsModule],
  controllers: [PaymentLinksController, LinkPagesController, CheckoutMethodsInternal],
  providers: [CreateMethodLink, OpenLink, AddByLink, ReturnFromProvider],
  exports: [CreateMethodLink, OpenLink],
})
export class PaymentLinksModule {}
