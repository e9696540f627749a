import { Module } from '@nestjs/common';
import { LinksModule } from './methods/links/links.module.js';
import { PaymentsModule } from './payments.module.js';
import { SepaModule } from './sepa/sepa.module.js';

@Module({ imports: [PaymentsModule, LinksModule, SepaModule] })
export class PaymentsAppModule {}
