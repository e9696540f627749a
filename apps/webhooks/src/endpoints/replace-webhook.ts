import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { endFirst, endRest } from '../delivery-queue/delivery-queue.js';
import { publishEndpoint } from './published-events.js';
import { checkUrl } from './check-url.js';
import { type EndpointRow, endpoints, lockEndpoint } from './endpoint.row.js';
import { representEndpoint } from './represent-endpoint.js';
import type { WebhookJson } from './webhook.schema.js';
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
    private readonly config: ServiceConfig,
  ) {}

  execute(principal: Principal, id: string, dto: WebhookDto): Promise<WebhookJson> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const old = await lockEndpoint(tx, id);
      if (!old) throw notFound('The webhook');
      const url = await checkUrl(tx, { replicas: this.replicas, publicUrl: this.config.publicUrl }, principal, dto.url);
      const enabled = dto.enabled ?? true;
      const disabledReason = enabled ? null : (old.disabledReason ?? 'manual');
      const health = enabled && !old.enabled ? { failingDays: 0, failingDay: null } : {};
      const next: EndpointRow = {
        ...old,
        ...health,
        version: old.version + 1,
        url,
        events: dto.events,
        enabled,
        disabledReason,
        description: dto.description ?? null,
      };
      await endpoints.update(tx, next);
      if (old.enabled && !enabled) await endFirst(tx, id);
      if (!old.enabled && enabled) await endRest(tx, id);
      await publishEndpoint(tx, next);
      return representEndpoint(next);
    });
  }
}
