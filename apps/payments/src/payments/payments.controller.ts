import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { INTENT_SCHEMA, TRANSACTION_SCHEMA } from './payment.schema.js';
import { ReadPayments } from './payments.read.js';
import { readReturn, ReturnTransactionDto } from './return.dto.js';
import { ReturnTransaction } from './return-transaction.js';

const tag = 'Payments';

@Controller('payment')
export class PaymentsController {
  constructor(
    private readonly read: ReadPayments,
    private readonly returnTransaction: ReturnTransaction,
  ) {}

  @Get('intents/:id')
  @Operation({ id: 'getPaymentIntent', summary: 'Get a payment intent', tag, permission: 'transaction:read', response: INTENT_SCHEMA })
  intent(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.read.intent(caller.tenantId, id);
  }

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

  @Post('transactions/:id/return')
  @Operation({
    id: 'returnPaymentTransaction',
    summary: 'Record that a payment went back to the payer',
    description: 'Opens the paid invoices again and takes back credit that the payment had brought. Answers the return.',
    tag,
    permission: 'transaction:write',
    response: TRANSACTION_SCHEMA,
  })
  return(@Caller() caller: Principal, @IdParam('id') id: string, @Body() dto: ReturnTransactionDto) {
    return this.returnTransaction.execute(caller.tenantId, id, (currencyCode) => readReturn(dto, currencyCode));
  }
}
