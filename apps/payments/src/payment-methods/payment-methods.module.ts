import { Module } from '@nestjs/common';
import { CompletePaymentMethod } from './complete-payment-method.js';
import { CreatePaymentMethod } from './create-payment-method.js';
import { DeletePaymentMethod } from './delete-payment-method.js';
import { EndMethods } from './end-methods.js';
import { MethodsAtProvider } from './methods-at-provider.js';
import { MakeDefault } from './make-default.js';
import { OnPaymentMethodChosen } from './on-payment-method-chosen.js';
import { PaymentMethodReplica } from './payment-method-replica.js';
import { ReadPaymentMethods } from './payment-method.read.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethodsInternal } from './payment-methods.internal.js';
import { RegisterMethod, RegisterMethodsAgain } from './register-method.js';
import { RevokeAtProvider } from './revoke-at-provider.js';

/** Customers' ways to pay: made here or at a provider, the default one, and their end. */
@Module({
  controllers: [PaymentMethodsController, PaymentMethodsInternal, OnPaymentMethodChosen],
  providers: [
    CreatePaymentMethod,
    RegisterMethod,
    RegisterMethodsAgain,
    CompletePaymentMethod,
    EndMethods,
    MethodsAtProvider,
    RevokeAtProvider,
    DeletePaymentMethod,
    MakeDefault,
    ReadPaymentMethods,
    PaymentMethodReplica,
  ],
  exports: [CreatePaymentMethod, RegisterMethod, CompletePaymentMethod, MethodsAtProvider],
})
export class PaymentMethodsModule {}
