import { Module } from '@nestjs/common';
import { PaymentsModule } from './payments.module.js';
import { SepaModule } from './sepa/sepa.module.js';

@Module({ imports: [PaymentsModule, SepaModule] })
export class PaymentsAppModule {}
