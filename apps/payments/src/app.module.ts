import { Module } from '@nestjs/common';
import { BankModule } from './bank/bank.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LinksModule } from './methods/links/links.module.js';
import { PaymentsModule } from './payments.module.js';
import { SepaModule } from './sepa/sepa.module.js';
import { TopUpsModule } from './top-ups/top-ups.module.js';

@Module({ imports: [PaymentsModule, BankModule, LedgerModule, LinksModule, SepaModule, TopUpsModule] })
export class PaymentsAppModule {}
