import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { ChangeIntentMethod } from './change-intent-method.js';
import { ReadIntents } from './intent.read.js';
import { IntentsController } from './intents.controller.js';
import { OnInvoiceFinalizing } from './on-invoice-finalizing.js';
import { OnInvoicePaymentMethodChosen } from './on-invoice-payment-method-chosen.js';
import { OpenIntents } from './open-intents.js';
import { PaymentsInternal } from './payments.internal.js';
import { RecordPayment } from './record-payment.js';

/** What is owed for documents, from the day they get their number. */
@Module({
  imports: [CustomerBooksModule, CollectionsModule, RefundsModule],
  controllers: [IntentsController, PaymentsInternal, OnInvoiceFinalizing, OnInvoicePaymentMethodChosen],
  providers: [OpenIntents, ChangeIntentMethod, RecordPayment, ReadIntents],
})
export class IntentsModule {}
