import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { publishEndpoint } from '../published-events.js';
import { lockEndpoint } from './endpoint.row.js';

/** Removes a receiver with its deliveries; the event log stays. @throws 404. */
@Injectable()
export class DeleteWebhook {
  constructor(private readonly database: Database) {}

  execute(principal: Principal, id: string): Promise<void> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw notFound('The webhook');
      await tx.query(
        'DELETE FROM delivery_attempt a USING delivery d WHERE a.tenant_id = $1 AND d.tenant_id = $1 AND d.endpoint_id = $2 AND a.delivery_id = d.id',
        [tx.tenantId, id],
      );
      await tx.query('DELETE FROM delivery WHERE tenant_id = $1 AND endpoint_id = $2', [tx.tenantId, id]);
      await tx.query('DELETE FROM webhook_endpoint WHERE tenant_id = $1 AND id = $2', [tx.tenantId, id]);
      await publishEndpoint(tx, { ...endpoint, version: endpoint.version + 1 }, [], true);
    });
  }
}
