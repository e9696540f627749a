import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { CloseIntents } from './close-intents.js';
import { OnInvoiceClosed } from './on-invoice-closed.js';

/** Invoices that are taken back or given up. */
@Module({
  imports: [CustomerBooksModule],
  controllers: [OnInvoiceClosed],
  providers: [CloseIntents],
})
export class CorrectionsModule {}
