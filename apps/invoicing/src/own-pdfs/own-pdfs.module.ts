import { Module } from '@nestjs/common';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { MediaModule } from '../media/media.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AcceptPdf } from './accept-pdf.js';
import { AwaitedPdfWorker } from './awaited-pdf-worker.js';
import { CompleteDocuments } from './complete-documents.js';
import { OwnPdfController } from './own-pdf.controller.js';

/** PDFs that the tenant's own system renders. */
@Module({
  imports: [FinalizationModule, InvoicesModule, MediaModule, PaymentsModule],
  controllers: [OwnPdfController],
  providers: [AcceptPdf, AwaitedPdfWorker, CompleteDocuments],
})
export class OwnPdfsModule {}
