import { Module } from '@nestjs/common';
import { CompletePaymentMethod } from './methods/complete-payment-method.js';
import { CreatePaymentMethod } from './methods/create-payment-method.js';
import { DeletePaymentMethod } from './methods/delete-payment-method.js';
import { EndedAtProvider } from './methods/ended-at-provider.js';
import { EndMethods } from './methods/end-methods.js';
import { CreateMethodLink } from './methods/links/create-method-link.js';
import { MakeDefault } from './methods/make-default.js';
import { OnPaymentMethodChosen } from './methods/on-payment-method-chosen.js';
import { PaymentMethodReplica } from './methods/payment-method-replica.js';
import { ReadPaymentMethods } from './methods/payment-method.read.js';
import { PaymentMethodsController } from './methods/payment-methods.controller.js';
import { PaymentMethodsInternal } from './methods/payment-methods.internal.js';
import { RevokeAtProvider } from './methods/revoke-at-provider.js';
import { RegisterMethod, RegisterMethodsAgain } from './methods/register-method.js';
import { CallbacksController } from './payments/callbacks/callbacks.controller.js';
import { ActOnNotices } from './payments/callbacks/act-on-notices.js';
import { ReceiveCallback } from './payments/callbacks/receive-callback.js';
import { CancelCharge } from './payments/cancel-charge.js';
import { Collect, CollectDue, SweepCollections } from './payments/collect.js';
import { ChangeIntentMethod } from './payments/change-intent-method.js';
import { CustomerReferencesInternal } from './payments/customer-references.internal.js';
import { BuiltGateways } from './payments/gateway/built-gateways.js';
import { Gateways } from './payments/gateway/payment-gateway.js';
import { GiveBack, RefundDue, SweepRefunds } from './payments/give-back.js';
import { OnInvoiceFinalizing } from './payments/on-invoice-finalizing.js';
import { OnInvoicePaymentMethodChosen } from './payments/on-invoice-payment-method-chosen.js';
import { OpenIntents } from './payments/open-intents.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsInternal } from './payments/payments.internal.js';
import { ReadPayments } from './payments/payments.read.js';
import { RecordPayment } from './payments/record-payment.js';
import { ReturnTransaction } from './payments/return-transaction.js';
import { RetryCollection } from './payments/retry-collection.js';
import { SettleCollections } from './payments/settle-collections.js';
import { PlanDebits } from './sepa/plan-debits.js';
import { RefundDebits } from './sepa/refund-debits.js';
import { SepaDebitGateway } from './sepa/sepa-debit.gateway.js';
import { WaitingDebits } from './sepa/waiting-debits.js';
import { TryNewDefault } from './payments/try-new-default.js';
import { StartRefunds } from './payments/start-refunds.js';
import { AdjustWallet } from './wallet/adjust-wallet.js';
import { ApplyCredit } from './wallet/apply-credit.js';
import { ExpireCredit } from './wallet/expire-credit.js';
import { OnCreditRulesChanged } from './wallet/on-credit-rules-changed.js';
import { WalletFeatureGuard } from './wallet/wallet-feature.js';
import { WalletController } from './wallet/wallet.controller.js';
import { ReadWallets } from './wallet/wallet.read.js';

const providers = [
  { provide: Gateways, useClass: BuiltGateways },
  PlanDebits,
  RefundDebits,
  SepaDebitGateway,
  WaitingDebits,
  OpenIntents,
  ChangeIntentMethod,
  Collect,
  CollectDue,
  SweepCollections,
  CancelCharge,
  RetryCollection,
  TryNewDefault,
  StartRefunds,
  GiveBack,
  RefundDue,
  SweepRefunds,
  ReceiveCallback,
  ActOnNotices,
  SettleCollections,
  RecordPayment,
  ReturnTransaction,
  ReadPayments,
  CreatePaymentMethod,
  RegisterMethod,
  RegisterMethodsAgain,
  CompletePaymentMethod,
  EndMethods,
  EndedAtProvider,
  RevokeAtProvider,
  CreateMethodLink,
  DeletePaymentMethod,
  MakeDefault,
  ReadPaymentMethods,
  PaymentMethodReplica,
  AdjustWallet,
  ReadWallets,
  ApplyCredit,
  ExpireCredit,
  WalletFeatureGuard,
];

/** What everything here stands on: intents, transactions, methods, the wallet. */
@Module({
  controllers: [
    PaymentMethodsController,
    PaymentsController,
    CallbacksController,
    WalletController,
    PaymentMethodsInternal,
    PaymentsInternal,
    CustomerReferencesInternal,
    OnInvoiceFinalizing,
    OnInvoicePaymentMethodChosen,
    OnPaymentMethodChosen,
    OnCreditRulesChanged,
  ],
  providers,
  exports: providers,
})
export class PaymentsModule {}
