import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Controller, Get } from '@nestjs/common';
import { TRANSACTION_SCHEMA } from './transaction.schema.js';
import { ReadTransactions } from './transactions.read.js';

const tag = 'Payments';

@Controller('payment')
export class TransactionsController {
  constructor(private readonly read: ReadTransactions) {}

  @Get('transactions')
  @Operation({
    id: 'listPaymentTransactions',
    summary: 'List payment transactions',
    tag,
    permission: 'transaction:read',
    response: TRANSACTION_SCHEMA,
  })
  list(
    @Caller() caller: Principal,
    @List({
      filters: {
        customer: 'uuid',
        intent: 'uuid',
        invoice: 'uuid',
        paymentMethod: 'uuid',
        type: ['payment', 'refund', 'return'],
        status: ['pending', 'action_required', 'succeeded', 'failed', 'returned'],
      },
      ranges: ['paymentDate'],
      order: ['paymentDate', 'createdAt'],
    })
    list: ListQuery,
  ) {
    return this.read.transactions(caller.tenantId, list);
  }

  @Get('transactions/:id')
  @Operation({
    id: 'getPaymentTransaction',
    summary: 'Get a payment transaction',
    tag,
    permission: 'transaction:read',
    response: TRANSACTION_SCHEMA,
  })
  transaction(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.read.transaction(caller.tenantId, id);
  }
}
