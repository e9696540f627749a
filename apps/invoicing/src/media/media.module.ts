import { Module } from '@nestjs/common';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { DocumentFiles } from './document-file.js';
import { MediaController, MediaInternal } from './media.controller.js';
import { PapersInternal } from './papers.controller.js';
import { PreviewDocument } from './preview-document.js';
import { RenderFiles } from './render-files.js';
import { RenderWorker } from './render-worker.js';

/** The files of documents. */
@Module({
  imports: [InvoicesModule, PricingModule, UsageModule],
  controllers: [MediaController, MediaInternal, PapersInternal],
  providers: [RenderFiles, RenderWorker, DocumentFiles, PreviewDocument],
  exports: [RenderFiles, DocumentFiles],
})
export class MediaModule {}
