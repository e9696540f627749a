import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { CustomerMergesModule, CustomerReferencesModule } from '@kontor/service-kit';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { ChargesModule } from './charges/charges.module.js';
import { CorrectionsModule } from './corrections/corrections.module.js';
import { DraftsModule } from './drafts/drafts.module.js';
import { DunningModule } from './dunning/dunning.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { FinalizationModule } from './finalization/finalization.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { InspectionModule } from './inspection/inspection.module.js';
import { InvoicesModule } from './invoices/invoices.module.js';
import { ReferringInvoices } from './invoices/referring-invoices.js';
import { MediaModule } from './media/media.module.js';
import { OwnPdfsModule } from './own-pdfs/own-pdfs.module.js';
import { MoveInvoices } from './merging/move-invoices.js';
import { PaymentsModule } from './payments/payments.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { stopRendering } from './pdf/render-document.js';
import { RatesModule } from './rates/rates.module.js';
import { RefundsModule } from './refunds/refunds.module.js';

@Module({
  imports: [
    InvoicesModule,
    DraftsModule,
    ImportsModule,
    FinalizationModule,
    ChargesModule,
    MediaModule,
    ExportsModule,
    InspectionModule,
    PaymentsModule,
    OwnPdfsModule,
    RefundsModule,
    CorrectionsModule,
    DunningModule,
    TemplatesModule,
    RatesModule,
    AnalyticsModule,
    CustomerMergesModule.with(MoveInvoices),
    CustomerReferencesModule.with(ReferringInvoices),
  ],
})
export class InvoicingModule implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await stopRendering();
  }
}
