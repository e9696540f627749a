import { Module } from '@nestjs/common';
import { ReadSubscriptions } from '../subscriptions/subscription.read.js';
import { BillAccountsHandler } from './bill-accounts.handler.js';
import { BillImmediately } from './bill-immediately.js';
import { BillingRunsController } from './billing-runs.controller.js';
import { LoadAccounts } from './load-accounts.js';
import { MeteredSources } from './metered-sources.js';
import { OnUsageCorrected } from './on-usage-corrected.js';
import { UsageMeter } from './usage-meter.js';
import { OnChargesSettled } from './on-charges-settled.js';
import { RequestRun } from './request-run.js';
import { SaveCharges } from './save-charges.js';
import { TellBilled } from './tell-billed.js';

/** What is due becomes charges, and charges become documents elsewhere. */
@Module({
  controllers: [BillingRunsController, OnChargesSettled, OnUsageCorrected],
  providers: [
    BillAccountsHandler,
    BillImmediately,
    LoadAccounts,
    ReadSubscriptions,
    RequestRun,
    SaveCharges,
    TellBilled,
    MeteredSources,
    UsageMeter,
  ],
  exports: [BillImmediately, LoadAccounts, MeteredSources],
})
export class BillingRunsModule {}
