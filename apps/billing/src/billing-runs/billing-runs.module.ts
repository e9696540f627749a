import { Module } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { BillAccountsHandler } from './bill-accounts.handler.js';
import { BillingRunsController } from './billing-runs.controller.js';
import { OnChargesSettled } from './on-charges-settled.js';
import { OnUsageCorrected } from './on-usage-corrected.js';
import { PublishBilled } from './publish-billed.js';
import { RateAccounts } from './rate-accounts.js';
import { RequestRun } from './request-run.js';
import { StoreRated } from './store-rated.js';

/** What is due becomes charges, and charges become documents elsewhere. */
@Module({
  imports: [ChargingModule, MeteringModule, SubscriptionsModule],
  controllers: [BillingRunsController, OnChargesSettled, OnUsageCorrected],
  providers: [BillAccountsHandler, RateAccounts, StoreRated, RequestRun, PublishBilled],
})
export class BillingRunsModule {}
