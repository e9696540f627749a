import { Module } from '@nestjs/common';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { BilledTaxesInternal } from './billed-taxes.internal.js';
import { DraftCharges } from './draft-charges.js';
import { OnCauseChanged } from './on-cause-changed.js';
import { OnChargesDue } from './on-charges-due.js';
import { RetryBlocked } from './retry-blocked.js';

/** Rated charges become documents. */
@Module({
  imports: [FinalizationModule, InvoicesModule],
  controllers: [OnChargesDue, OnCauseChanged, BilledTaxesInternal],
  providers: [DraftCharges, RetryBlocked],
})
export class ChargesModule {}
