import { CustomerMergesModule, CustomerReferencesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { BankModule } from './bank/bank.module.js';
import { CompositionModule } from './composition.module.js';
import { CorrectionsModule } from './corrections/corrections.module.js';
import { DatevModule } from './datev/datev.module.js';
import { GatewayCallbacksModule } from './gateway-callbacks/gateway-callbacks.module.js';
import { IntentsModule } from './intents/intents.module.js';
import { LedgerModule } from './ledger/index.js';
import { MoveMoney } from './merging/move-money.js';
import { ReferringMoney } from './operations/referring-money.js';
import { PayerPagesModule } from './payer-pages/payer-pages.module.js';
import { PaymentLinksModule } from './payment-links/payment-links.module.js';
import { PaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { ReturnsModule } from './returns/returns.module.js';
import { SepaModule } from './sepa/sepa.module.js';
import { TopUpsModule } from './top-ups/top-ups.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';
import { WalletModule } from './wallet/wallet.module.js';

@Module({
  imports: [
    CompositionModule,
    PaymentMethodsModule,
    PaymentLinksModule,
    PayerPagesModule,
    IntentsModule,
    CorrectionsModule,
    TransactionsModule,
    ReturnsModule,
    GatewayCallbacksModule,
    WalletModule,
    TopUpsModule,
    BankModule,
    SepaModule,
    LedgerModule,
    DatevModule,
    CustomerMergesModule.with(MoveMoney),
    CustomerReferencesModule.with(ReferringMoney),
  ],
})
export class PaymentsAppModule {}
