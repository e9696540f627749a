import { Module } from '@nestjs/common';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AwaitIntent } from './await-intent.js';
import { FinalizeDrafts } from './finalize-drafts.js';
import { FinalizeKin } from './finalize-kin.js';
import { FinalizeInvoice } from './finalize-invoice.js';
import { FinalizeController } from './finalize.controller.js';
import { StatusSignal } from './status-signal.js';

/** Drafts become numbered, frozen documents. */
@Module({
  imports: [InvoicesModule, PricingModule, UsageModule],
  controllers: [FinalizeController],
  providers: [FinalizeDrafts, FinalizeInvoice, FinalizeKin, AwaitIntent, StatusSignal],
  exports: [FinalizeDrafts, FinalizeKin, AwaitIntent, StatusSignal],
})
export class FinalizationModule {}
