import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Webhook } from './webhook.schema.js';
import { RotateSecret } from './rotate-secret.js';

@Controller('webhooks')
export class RotateSecretController {
  constructor(private readonly rotation: RotateSecret) {}

  @Post(':id/rotate-secret')
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Give a receiver a new secret',
    tag: 'Webhooks',
    permission: 'webhook:write',
    response: Webhook,
    shownOnce: ['secret'],
  })
  rotate(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.rotation.execute(principal, id);
  }
}
