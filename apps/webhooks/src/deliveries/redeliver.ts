import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, onCommit } from '@kontor/persistence';
import { readDelivery } from './delivery.read.js';
import type { WebhookDeliveryJson } from './delivery.schema.js';
import { lockObjects } from '../delivery-queue/delivery-queue.js';
import { Dispatcher } from './dispatcher.js';

/**
 * Delivers once more, at once, under the same id and with a whole schedule of repeats ahead. One that is waiting for
 * its repeat is attempted now. @throws 404, 422 `webhook_disabled`.
 */
@Injectable()
export class Redeliver {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
  ) {}

  execute(tenantId: string, id: string): Promise<WebhookDeliveryJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const [row] = await tx.query<{ endpointId: string; objectId: string; enabled: boolean }>(
        `SELECT d.endpoint_id AS "endpointId", d.object_id AS "objectId", e.enabled
         FROM delivery d JOIN webhook_endpoint e ON e.tenant_id = $1 AND e.id = d.endpoint_id
         WHERE d.tenant_id = $1 AND d.id = $2
         FOR KEY SHARE OF e`,
        [tenantId, id],
      );
      if (!row) throw notFound('The delivery');
      if (!row.enabled)
        throw new DomainError('webhook_disabled', { detail: 'The webhook is disabled: enable it first.' });
      await lockObjects(tx, [row.objectId]);
      // Asked for by hand, it need not queue: it is attempted beside the head of its object's queue.
      await tx.query(
        `UPDATE delivery SET status = 'pending', head = true, round = 0, next_attempt_at = now()
         WHERE tenant_id = $1 AND id = $2 AND (lease_until IS NULL OR lease_until < now() OR NOT process_runs(lease))`,
        [tenantId, id],
      );
      onCommit(tx, () => this.dispatcher.wake(tenantId, [row.endpointId]));
      return readDelivery(tx, id);
    });
  }
}
