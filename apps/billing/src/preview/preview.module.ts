import { Module } from '@nestjs/common';
import { BillingRunsModule } from '../billing-runs/billing-runs.module.js';
import { MeasuredPreview } from './measured-preview.js';
import { PreviewChange } from './preview-change.js';
import { PreviewController } from './preview.controller.js';
import { PreviewInvoice } from './preview-invoice.js';
import { RatePreview } from './rate-preview.js';
import { ReadTimeline } from './timeline.js';

/** What would be billed, and what was. */
@Module({
  imports: [BillingRunsModule],
  controllers: [PreviewController],
  providers: [MeasuredPreview, PreviewChange, PreviewInvoice, RatePreview, ReadTimeline],
  exports: [PreviewChange],
})
export class PreviewModule {}
