import { Module } from '@nestjs/common';
import { PricingModule } from '../pricing/pricing.module.js';
import { PreviewTemplate } from './preview-template.js';
import { Templates } from './templates.js';
import { TemplatesController } from './templates.controller.js';

/** Texts of documents and mails. */
@Module({
  imports: [PricingModule],
  controllers: [TemplatesController],
  providers: [Templates, PreviewTemplate],
})
export class TemplatesModule {}
