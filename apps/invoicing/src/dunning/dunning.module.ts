import { Module } from '@nestjs/common';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { CancelDunning } from './cancel-dunning.js';
import { DunningDocuments } from './dunning-documents.js';
import { DunningRules } from './dunning-rules.js';
import { DunningWorker } from './dunning-worker.js';
import { DunningController, DunningRulesController, InvoiceDunningController } from './dunning.controller.js';
import { EndDunning } from './end-dunning.js';
import { IssueDunning } from './issue-dunning.js';
import { KnownBaseRates } from './known-base-rates.js';
import { RunDunning } from './run-dunning.js';
import { SetDunning } from './set-dunning.js';

/** Reminders and dunning letters for what is overdue. */
@Module({
  imports: [FinalizationModule, InvoicesModule, PricingModule],
  controllers: [DunningRulesController, DunningController, InvoiceDunningController],
  providers: [
    DunningRules,
    DunningDocuments,
    RunDunning,
    IssueDunning,
    KnownBaseRates,
    CancelDunning,
    EndDunning,
    SetDunning,
    DunningWorker,
  ],
  exports: [EndDunning, RunDunning],
})
export class DunningModule {}
