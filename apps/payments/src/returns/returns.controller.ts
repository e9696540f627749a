import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Body, Controller, Post } from '@nestjs/common';
import { TRANSACTION_SCHEMA } from '../transactions/transaction.schema.js';
import { readReturn, ReturnTransactionDto } from './return.dto.js';
import { ReturnTransaction } from './return-transaction.js';

@Controller('payment')
export class ReturnsController {
  constructor(private readonly returnTransaction: ReturnTransaction) {}

  @Post('transactions/:id/return')
  @Operation({
    id: 'returnPaymentTransaction',
    summary: 'Record that a payment went back to the payer, or that money that was paid out came back',
    description:
      'Of a payment: opens the paid invoices again and takes back credit that the payment had brought. Answers the return. ' +
      'With `amount`, a part of it; the rest stands. ' +
      'Of a refund that has succeeded: its documents owe the money again. Answers the refund, which has failed.',
    tag: 'Payments',
    permission: 'transaction:write',
    response: TRANSACTION_SCHEMA,
  })
  return(@Caller() caller: Principal, @IdParam('id') id: string, @Body() dto: ReturnTransactionDto) {
    return this.returnTransaction.execute(caller.tenantId, id, (currencyCode) => readReturn(dto, currencyCode));
  }
}
