import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { DELIVERY_SCHEMA } from '../schemas.js';
import { Redeliver } from './redeliver.js';

@Controller('webhook-deliveries')
export class DeliveriesController {
  constructor(private readonly redeliver: Redeliver) {}

  @Post(':id/redeliver')
  @Operation({
    id: 'redeliverWebhook',
    summary: 'Deliver once more, at once',
    tag: 'Webhooks',
    permission: 'webhook:write',
    response: DELIVERY_SCHEMA,
  })
  again(@Caller() principal: Principal, @IdParam('id', { format: 'ulid' }) id: string) {
    return this.redeliver.execute(principal.tenantId, id);
  }
}
