import { Injectable } from '@nestjs/common';
import type { Notice, Principal } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ReadDeliveries, readDelivery } from '../deliveries/delivery.read.js';
import type { WebhookDeliveryJson } from '../deliveries/delivery.schema.js';
import { RecordEvents } from './record-events.js';
import { lockEndpoint } from '../endpoints/endpoint.row.js';
import { representEndpoint } from '../endpoints/represent-endpoint.js';

/** How long the answer waits to show how the first attempt went. */
const PATIENCE_MS = 3_000;
const POLL_MS = 50;

/** Sends the event `webhook.test` to one endpoint, whatever it asked for. @throws 404, 422 `webhook_disabled`. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly database: Database,
    private readonly record: RecordEvents,
    private readonly deliveries: ReadDeliveries,
  ) {}

  async execute(principal: Principal, id: string): Promise<WebhookDeliveryJson> {
    const { tenantId } = principal;
    let delivery = await this.database.tenant(tenantId, async (tx) => {
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw notFound('The webhook');
      if (!endpoint.enabled)
        throw new DomainError('webhook_disabled', { detail: 'The webhook is disabled: enable it first.' });
      // A new object each time: a test waits behind nothing.
      const notice: Notice = {
        type: 'webhook.test',
        objectId: newUuid(),
        data: { webhook: representEndpoint(endpoint) },
        customerId: null,
        activity: null,
      };
      const { deliveryIds } = await this.record.execute(tx, [{ notice, at: tx.now, actor: null }], id);
      return readDelivery(tx, deliveryIds[0]!);
    });
    for (const until = performance.now() + PATIENCE_MS; delivery.attempts.length === 0 && performance.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      delivery = await this.deliveries.get(tenantId, delivery.id);
    }
    return delivery;
  }
}
