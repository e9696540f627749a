import { Module } from '@nestjs/common';
import { UsageModule } from '../usage/usage.module.js';
import { GetBillingRun } from './get-billing-run.js';
import { GetInvoice } from './get-invoice.js';
import { GetTimeline } from './get-timeline.js';
import { InvoiceReferencesInternal } from './invoice-references.internal.js';
import { InvoiceController } from './invoice.controller.js';
import { ListInvoices } from './list-invoices.js';
import { RecordChanges } from './record-changes.js';
import { SendInvoice } from './send-invoice.js';
import { SetNote } from './set-note.js';
import { SetPaymentMethod } from './set-payment-method.js';
import { ShowInvoices } from './show-invoices.js';

/** Documents of any status: reading them, and publishing their changes. */
@Module({
  imports: [UsageModule],
  controllers: [InvoiceController, InvoiceReferencesInternal],
  providers: [
    ShowInvoices,
    RecordChanges,
    ListInvoices,
    GetInvoice,
    GetTimeline,
    GetBillingRun,
    SetPaymentMethod,
    SetNote,
    SendInvoice,
  ],
  exports: [ShowInvoices, RecordChanges],
})
export class InvoicesModule {}
