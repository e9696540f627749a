import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { ReturnPayout } from './return-payout.js';
import { ReturnTransaction } from './return-transaction.js';
import { ReturnsController } from './returns.controller.js';

/** Payments that went back to the payer, and payouts that came back. */
@Module({
  imports: [CollectionsModule, CustomerBooksModule, RefundsModule],
  controllers: [ReturnsController],
  providers: [ReturnPayout, ReturnTransaction],
  exports: [ReturnPayout, ReturnTransaction],
})
export class ReturnsModule {}
