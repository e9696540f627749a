import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments.module.js';
import { ExportSepaFiles } from './export-sepa-files.js';
import { SepaController } from './sepa.controller.js';
import { ReadSepaFiles } from './sepa.read.js';
import { SettleOrders } from './settle-orders.js';

/** Files for the bank, and what the bank's statement says of their orders. */
@Module({
  imports: [PaymentsModule],
  controllers: [SepaController],
  providers: [ExportSepaFiles, ReadSepaFiles, SettleOrders],
  exports: [SettleOrders],
})
export class SepaModule {}
