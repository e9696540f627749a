import { Module } from '@nestjs/common';
import { DraftsModule } from '../drafts/drafts.module.js';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { ImportInvoice } from './import-invoice.js';
import { ImportsController } from './imports.controller.js';

/** Invoices of other systems. */
@Module({
  imports: [DraftsModule, FinalizationModule, InvoicesModule],
  controllers: [ImportsController],
  providers: [ImportInvoice],
})
export class ImportsModule {}
