import { Module } from '@nestjs/common';
import { TransactionsController } from './transactions.controller.js';
import { ReadTransactions } from './transactions.read.js';

/** What is read of payments, refunds and returns. */
@Module({
  controllers: [TransactionsController],
  providers: [ReadTransactions],
})
export class TransactionsModule {}
