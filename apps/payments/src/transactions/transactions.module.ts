import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { TransactionsController } from './transactions.controller.js';
import { ReadTransactions } from './transactions.read.js';

/** What is read of payments, refunds and returns. */
@Module({
  imports: [CollectionsModule],
  controllers: [TransactionsController],
  providers: [ReadTransactions],
})
export class TransactionsModule {}
