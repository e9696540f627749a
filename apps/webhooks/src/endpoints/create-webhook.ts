import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { newSecret } from '../deliveries/sign-delivery.js';
import { publishEndpoint, webhookCreated } from '../published-events.js';
import { checkUrl } from './checked-url.js';
import type { EndpointRow } from './endpoint.row.js';
import { representEndpoint, type WebhookEndpoint } from './represent-endpoint.js';
import type { WebhookDto } from './webhook.dto.js';

/** Registers a receiver; the answer is the only one that shows its first secret. @throws `validation_failed` for its URL. */
@Injectable()
export class CreateWebhook {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly secrets: SecretBox,
  ) {}

  execute(principal: Principal, dto: WebhookDto): Promise<WebhookEndpoint> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      await checkUrl(tx, this.replicas, principal, dto.url);
      const id = newUuid();
      const secret = newSecret();
      const enabled = dto.enabled ?? true;
      const endpoint: EndpointRow = {
        id, version: 1, url: dto.url, events: dto.events, enabled, disabledReason: enabled ? null : 'manual', description: dto.description ?? null,
        secret: this.secrets.seal(secret, id), failingDays: 0, failingDay: null, createdAt: tx.now,
      }; // prettier-ignore
      await tx.query(
        `INSERT INTO webhook_endpoint (tenant_id, id, version, url, events, enabled, disabled_reason, description, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          tx.tenantId,
          id,
          endpoint.version,
          endpoint.url,
          JSON.stringify(endpoint.events),
          enabled,
          endpoint.disabledReason,
          endpoint.description,
          endpoint.secret,
          endpoint.createdAt,
        ],
      );
      await publishEndpoint(tx, endpoint, [webhookCreated(endpoint)]);
      return representEndpoint(endpoint, secret);
    });
  }
}
