import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DraftCharges } from './charges/draft-charges.js';
import { OnCauseChanged } from './charges/on-cause-changed.js';
import { OnChargesDue } from './charges/on-charges-due.js';
import { RetryBlocked } from './charges/retry-blocked.js';
import { FinalizeDrafts } from './finalization/finalize-drafts.js';
import { FinalizeExisting } from './finalization/finalize-existing.js';
import { FinalizeInvoice } from './finalization/finalize-invoice.js';
import { StatusSignal } from './finalization/status-signal.js';
import { ChangeInvoice } from './invoices/change-invoice.js';
import { CreateInvoice } from './invoices/create-invoice.js';
import { DraftEditor } from './invoices/draft-editor.js';
import { EditPositions } from './invoices/edit-positions.js';
import { CustomerReferencesInternal, InvoiceReferencesInternal, StoredNoticesInternal } from './invoices/internal.controller.js';
import { InvoiceDetailsController } from './invoices/invoice-details.controller.js';
import { InvoiceHistory } from './invoices/invoice-history.js';
import { InvoiceWorlds } from './invoices/invoice-world.js';
import { InvoiceController, InvoicePositionController } from './invoices/invoice.controller.js';
import { InvoiceReader } from './invoices/invoice.read.js';
import { ListInvoices } from './invoices/list-invoices.js';
import { PositionInput } from './invoices/position-input.js';
import { ReadInvoice } from './invoices/read-invoice.js';
import { RecordChanges } from './invoices/record-changes.js';
import { RemoveInvoice } from './invoices/remove-invoice.js';
import { ReplaceInvoice } from './invoices/replace-invoice.js';
import { DocumentFiles } from './media/document-file.js';
import { MediaController, MediaInternal } from './media/media.controller.js';
import { PreviewDocument } from './media/preview-document.js';
import { RenderFiles } from './media/render-files.js';
import { RenderWorker } from './media/render-worker.js';
import { RefundController } from './refunds/refund.controller.js';
import { RefundInvoice } from './refunds/refund-invoice.js';
import { AddPayment } from './payments/add-payment.js';
import { FollowIntents } from './payments/follow-intents.js';
import { OnIntentChanged } from './payments/on-intent-changed.js';
import { PaymentController } from './payments/payment.controller.js';
import { SweepPaymentOperations } from './payments/sweep-operations.js';
import { stopRendering } from './pdf/render-document.js';
import { ExchangeRates } from './rates/exchange-rates.js';
import { ExchangeRatesController } from './rates/exchange-rates.controller.js';
import { FetchRates, OnTenantChanged } from './rates/fetch-rates.js';
import { UsageLinks } from './usage/usage-links.js';

@Module({
  controllers: [
    InvoiceController,
    InvoicePositionController,
    InvoiceDetailsController,
    PaymentController,
    RefundController,
    MediaController,
    ExchangeRatesController,
    MediaInternal,
    CustomerReferencesInternal,
    InvoiceReferencesInternal,
    StoredNoticesInternal,
    OnChargesDue,
    OnCauseChanged,
    OnIntentChanged,
    OnTenantChanged,
  ],
  providers: [
    InvoiceReader,
    InvoiceWorlds,
    RecordChanges,
    PositionInput,
    DraftEditor,
    CreateInvoice,
    ReplaceInvoice,
    RemoveInvoice,
    EditPositions,
    ChangeInvoice,
    ReadInvoice,
    ListInvoices,
    InvoiceHistory,
    FinalizeDrafts,
    FinalizeExisting,
    FinalizeInvoice,
    StatusSignal,
    DraftCharges,
    RetryBlocked,
    RenderFiles,
    RenderWorker,
    DocumentFiles,
    PreviewDocument,
    FollowIntents,
    AddPayment,
    RefundInvoice,
    SweepPaymentOperations,
    ExchangeRates,
    FetchRates,
    UsageLinks,
  ],
})
export class InvoicingModule implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await stopRendering();
  }
}
