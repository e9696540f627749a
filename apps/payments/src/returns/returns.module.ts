import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { ReturnTransaction } from './return-transaction.js';
import { ReturnsController } from './returns.controller.js';

/** Payments that went back to the payer. */
@Module({
  imports: [CustomerBooksModule],
  controllers: [ReturnsController],
  providers: [ReturnTransaction],
  exports: [ReturnTransaction],
})
export class ReturnsModule {}
