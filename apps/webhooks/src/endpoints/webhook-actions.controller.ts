import { Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { DELIVERY_FILTERS, ReadDeliveries } from '../deliveries/delivery.read.js';
import { DELIVERY_SCHEMA, WEBHOOK_SCHEMA } from '../schemas.js';
import { RotateSecret } from './rotate-secret.js';
import { TestWebhook } from './test-webhook.js';

const tag = 'Webhooks';

@Controller('webhooks')
export class WebhookActionsController {
  constructor(
    private readonly testing: TestWebhook,
    private readonly rotation: RotateSecret,
    private readonly deliveries: ReadDeliveries,
  ) {}

  @Post(':id/test')
  @Operation({
    id: 'testWebhook',
    summary: 'Send the event webhook.test to a receiver',
    description: 'The answer waits a few seconds for the first attempt and shows it.',
    tag,
    permission: 'webhook:write',
    response: DELIVERY_SCHEMA,
  })
  test(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.testing.execute(principal, id);
  }

  @Post(':id/rotate-secret')
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Give a receiver a new secret',
    tag,
    permission: 'webhook:write',
    response: WEBHOOK_SCHEMA,
  })
  rotate(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.rotation.execute(principal, id);
  }

  @Get(':id/deliveries')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: "A receiver's deliveries, newest first",
    tag,
    permission: 'webhook:read',
    response: DELIVERY_SCHEMA,
  })
  list(
    @Caller() principal: Principal,
    @IdParam('id') id: string,
    @List({ filters: DELIVERY_FILTERS, ranges: ['createdAt'], order: ['createdAt'] }) list: ListQuery,
  ) {
    return this.deliveries.list(principal.tenantId, id, list);
  }
}
