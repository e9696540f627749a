import { Module } from '@nestjs/common';
import { DunningModule } from '../dunning/dunning.module.js';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { CancelInvoice } from './cancel-invoice.js';
import { CloseInvoice } from './close-invoice.js';
import { CorrectionsController } from './corrections.controller.js';
import { CreditInvoice } from './credit-invoice.js';

/** Cancellations, credit notes, and what is given up. */
@Module({
  imports: [DunningModule, FinalizationModule, InvoicesModule],
  controllers: [CorrectionsController],
  providers: [CancelInvoice, CreditInvoice, CloseInvoice],
})
export class CorrectionsModule {}
