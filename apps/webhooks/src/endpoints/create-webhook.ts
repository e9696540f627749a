import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Database, keepWithin, Replicas } from '@kontor/persistence';
import { SecretBox, ServiceConfig } from '@kontor/service-kit';
import { newSecret } from './signing-secret.js';
import { publishEndpoint, webhookCreated } from './published-events.js';
import { checkUrl } from './check-url.js';
import { type EndpointRow, endpoints } from './endpoint.row.js';
import { representEndpoint } from './represent-endpoint.js';
import type { WebhookJson } from './webhook.schema.js';
import type { WebhookDto } from './webhook.dto.js';

/** Each event is looked at, and delivered, for each of them. */
export const MAX_WEBHOOKS = 50;

/**
 * Registers a receiver; the answer is the only one that shows its first secret. @throws `validation_failed` for its
 * URL; `too_many_webhooks`.
 */
@Injectable()
export class CreateWebhook {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly config: ServiceConfig,
    private readonly secrets: SecretBox,
  ) {}

  execute(principal: Principal, dto: WebhookDto): Promise<WebhookJson> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const url = await checkUrl(tx, { replicas: this.replicas, publicUrl: this.config.publicUrl }, principal, dto.url);
      await keepWithin(tx, endpoints, 'too_many_webhooks', { limit: MAX_WEBHOOKS, what: 'webhooks' });
      const id = newUuid();
      const secret = newSecret();
      const enabled = dto.enabled ?? true;
      const endpoint: EndpointRow = {
        tenantId: tx.tenantId,
        id,
        version: 1,
        url,
        events: dto.events,
        enabled,
        disabledReason: enabled ? null : 'manual',
        description: dto.description ?? null,
        secret: this.secrets.seal(secret, id),
        failingDays: 0,
        failingDay: null,
        createdAt: tx.now,
      };
      await endpoints.insert(tx, endpoint);
      await publishEndpoint(tx, endpoint, [webhookCreated(endpoint)]);
      return representEndpoint(endpoint, secret);
    });
  }
}
