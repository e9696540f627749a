import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { ExportDocuments } from './export-documents.js';
import { ExportsController } from './exports.controller.js';
import { PageDocuments } from './page-documents.js';

/** Documents for auditors. */
@Module({
  imports: [MediaModule, PricingModule],
  controllers: [ExportsController],
  providers: [ExportDocuments, PageDocuments],
})
export class ExportsModule {}
