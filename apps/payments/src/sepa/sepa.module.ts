import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { ReturnsModule } from '../returns/returns.module.js';
import { ExportSepaFiles } from './export-sepa-files.js';
import { PlanDebits } from './plan-debits.js';
import { RefundDebits } from './refund-debits.js';
import { RejectSepaFile } from './reject-sepa-file.js';
import { SepaBankOrders } from './sepa-bank-orders.js';
import { SepaDebitGateway } from './sepa-debit.gateway.js';
import { SepaController } from './sepa.controller.js';
import { ReadSepaFiles } from './sepa.read.js';
import { SettleOrders } from './settle-orders.js';
import { WaitingDebits } from './waiting-debits.js';
import { WaitingTransfers } from './waiting-transfers.js';

/** Files for the bank, and what the bank's statement says of their orders. */
@Module({
  imports: [CustomerBooksModule, CollectionsModule, ReturnsModule],
  controllers: [SepaController],
  providers: [
    ExportSepaFiles,
    ReadSepaFiles,
    RejectSepaFile,
    SettleOrders,
    PlanDebits,
    RefundDebits,
    SepaDebitGateway,
    SepaBankOrders,
    WaitingDebits,
    WaitingTransfers,
  ],
  exports: [SettleOrders, SepaDebitGateway, SepaBankOrders, WaitingDebits],
})
export class SepaModule {}
