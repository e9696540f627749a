import { Module } from '@nestjs/common';
import { DunningModule } from '../dunning/dunning.module.js';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { AddPayment } from './add-payment.js';
import { FollowIntents } from './follow-intents.js';
import { OnIntentChanged } from './on-intent-changed.js';
import { PaymentController } from './payment.controller.js';
import { SweepPaymentOperations } from './sweep-operations.js';

/** What payments reports about documents, and payments that clients report. */
@Module({
  imports: [DunningModule, FinalizationModule, InvoicesModule],
  controllers: [PaymentController, OnIntentChanged],
  providers: [FollowIntents, AddPayment, SweepPaymentOperations],
  exports: [FollowIntents],
})
export class PaymentsModule {}
