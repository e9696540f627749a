import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Controller, Get } from '@nestjs/common';
import { INTENT_SCHEMA, INTENT_STATUSES } from './intent.schema.js';
import { ReadIntents } from './intent.read.js';

const tag = 'Payments';

@Controller('payment')
export class IntentsController {
  constructor(private readonly read: ReadIntents) {}

  @Get('intents')
  @Operation({
    id: 'listPaymentIntents',
    summary: 'List payment intents, newest first',
    description: 'What is to be paid of documents and top-ups: one for each. Of credit notes the amount is negative.',
    tag,
    permission: 'transaction:read',
    response: INTENT_SCHEMA,
  })
  list(
    @Caller() caller: Principal,
    @List({
      filters: {
        customer: 'uuid',
        invoice: 'uuid',
        topUp: 'uuid',
        paymentMethod: 'uuid',
        status: INTENT_STATUSES,
        currencyCode: 'text',
      },
      ranges: ['createdAt', 'paidAt'],
    })
    list: ListQuery,
  ) {
    return this.read.list(caller.tenantId, list);
  }

  @Get('intents/:id')
  @Operation({
    id: 'getPaymentIntent',
    summary: 'Get a payment intent',
    tag,
    permission: 'transaction:read',
    response: INTENT_SCHEMA,
  })
  intent(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.read.intent(caller.tenantId, id);
  }
}
