import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Controller, Get } from '@nestjs/common';
import { INTENT_SCHEMA } from './intent.schema.js';
import { ReadIntent } from './intent.read.js';

@Controller('payment')
export class IntentsController {
  constructor(private readonly read: ReadIntent) {}

  @Get('intents/:id')
  @Operation({
    id: 'getPaymentIntent',
    summary: 'Get a payment intent',
    tag: 'Payments',
    permission: 'transaction:read',
    response: INTENT_SCHEMA,
  })
  intent(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.read.execute(caller.tenantId, id);
  }
}
