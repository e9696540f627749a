import { Module } from '@nestjs/common';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { AddPosition } from './add-position.js';
import { CreateInvoice } from './create-invoice.js';
import { DraftEditor } from './draft-editor.js';
import { DraftController } from './draft.controller.js';
import { DuplicateInvoice } from './duplicate-invoice.js';
import { PositionInput } from './position-input.js';
import { PositionController } from './position.controller.js';
import { RemoveInvoice } from './remove-invoice.js';
import { RemovePosition } from './remove-position.js';
import { ReplaceInvoice } from './replace-invoice.js';
import { ReplacePosition } from './replace-position.js';
import { SetInvoiceAddress } from './set-invoice-address.js';
import { ShowPosition } from './show-position.js';
import { TaxGroupReferencesInternal } from './tax-group-references.internal.js';
import { TakeChargesOff } from './take-charges-off.js';

/** Drafts by hand. */
@Module({
  imports: [InvoicesModule, PricingModule],
  controllers: [DraftController, PositionController, TaxGroupReferencesInternal],
  providers: [
    DraftEditor,
    PositionInput,
    ShowPosition,
    TakeChargesOff,
    CreateInvoice,
    ReplaceInvoice,
    RemoveInvoice,
    DuplicateInvoice,
    SetInvoiceAddress,
    AddPosition,
    ReplacePosition,
    RemovePosition,
  ],
  exports: [DraftEditor, PositionInput],
})
export class DraftsModule {}
