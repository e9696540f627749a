import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { WebhookDelivery } from '../deliveries/delivery.schema.js';
import { TestWebhook } from './test-webhook.js';

@Controller('webhooks')
export class TestWebhookController {
  constructor(private readonly testing: TestWebhook) {}

  @Post(':id/test')
  @Operation({
    id: 'testWebhook',
    summary: 'Send the event webhook.test to a receiver',
    description: 'The answer waits a few seconds for the first attempt and shows it.',
    tag: 'Webhooks',
    permission: 'webhook:write',
    response: WebhookDelivery,
  })
  test(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.testing.execute(principal, id);
  }
}
