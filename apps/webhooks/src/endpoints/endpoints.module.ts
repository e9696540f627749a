import { Module } from '@nestjs/common';
import { CreateWebhook } from './create-webhook.js';
import { DeleteWebhook } from './delete-webhook.js';
import { ReplaceWebhook } from './replace-webhook.js';
import { RotateSecretController } from './rotate-secret.controller.js';
import { RotateSecret } from './rotate-secret.js';
import { ReadWebhooks } from './webhook.read.js';
import { WebhooksController } from './webhooks.controller.js';

/** Receivers: addresses, subscriptions, secrets. */
@Module({
  controllers: [WebhooksController, RotateSecretController],
  providers: [CreateWebhook, ReplaceWebhook, DeleteWebhook, RotateSecret, ReadWebhooks],
})
export class EndpointsModule {}
