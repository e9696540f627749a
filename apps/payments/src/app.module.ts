import { Module } from '@nestjs/common';
import { BankModule } from './bank/bank.module.js';
import { LinksModule } from './methods/links/links.module.js';
import { PaymentsModule } from './payments.module.js';
import { SepaModule } from './sepa/sepa.module.js';

@Module({ imports: [PaymentsModule, BankModule, LinksModule, SepaModule] })
export class PaymentsAppModule {}
