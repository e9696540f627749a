import { Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { WebhookDelivery } from './delivery.schema.js';
import { DELIVERY_FILTERS, ReadDeliveries } from './delivery.read.js';
import { Redeliver } from './redeliver.js';

const tag = 'Webhooks';

@Controller('webhooks')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: ReadDeliveries) {}

  @Get(':id/deliveries')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: "A receiver's deliveries, newest first",
    tag,
    permission: 'webhook:read',
    response: WebhookDelivery,
  })
  list(
    @Caller() principal: Principal,
    @IdParam('id') id: string,
    @List({ filters: DELIVERY_FILTERS, ranges: ['createdAt'], order: ['createdAt'] }) list: ListQuery,
  ) {
    return this.deliveries.list(principal.tenantId, id, list);
  }
}

@Controller('webhook-deliveries')
export class DeliveriesController {
  constructor(private readonly redeliver: Redeliver) {}

  @Post(':id/redeliver')
  @Operation({
    id: 'redeliverWebhook',
    summary: 'Deliver once more, at once',
    tag,
    permission: 'webhook:write',
    response: WebhookDelivery,
  })
  again(@Caller() principal: Principal, @IdParam('id', { format: 'ulid' }) id: string) {
    return this.redeliver.execute(principal.tenantId, id);
  }
}
