import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { failPending } from '../deliveries/delivery-queue.js';
import { publishEndpoint } from '../published-events.js';
import { checkUrl } from './checked-url.js';
import { type EndpointRow, lockEndpoint } from './endpoint.row.js';
import { representEndpoint, type WebhookEndpoint } from './represent-endpoint.js';
import type { WebhookDto } from './webhook.dto.js';

/**
 * Replaces what a receiver gets and where; its secret stays. Disabling ends what is in line; enabling again forgets
 * earlier failures. @throws 404, `validation_failed` for its URL.
 */
@Injectable()
export class ReplaceWebhook {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  execute(principal: Principal, id: string, dto: WebhookDto): Promise<WebhookEndpoint> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const old = await lockEndpoint(tx, id);
      if (!old) throw notFound('The webhook');
      await checkUrl(tx, this.replicas, principal, dto.url);
      const enabled = dto.enabled ?? true;
      const disabledReason = enabled ? null : (old.disabledReason ?? 'manual');
      const health = enabled && !old.enabled ? { failingDays: 0, failingDay: null } : {};
      const next: EndpointRow = {
        ...old,
        ...health,
        version: old.version + 1,
        url: dto.url,
        events: dto.events,
        enabled,
        disabledReason,
        description: dto.description ?? null,
      };
      await tx.query(
        `UPDATE webhook_endpoint SET version = $3, url = $4, events = $5, enabled = $6, disabled_reason = $7, description = $8, failing_days = $9, failing_day = $10
         WHERE tenant_id = $1 AND id = $2`,
        [
          tx.tenantId,
          id,
          next.version,
          next.url,
          JSON.stringify(next.events),
          enabled,
          disabledReason,
          next.description,
          next.failingDays,
          next.failingDay,
        ],
      );
      if (old.enabled && !enabled) await failPending(tx, id);
      await publishEndpoint(tx, next);
      return representEndpoint(next);
    });
  }
}
