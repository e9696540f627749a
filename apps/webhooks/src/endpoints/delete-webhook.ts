import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { deleteDeliveries } from '../delivery-queue/delivery-queue.js';
import { publishEndpoint } from './published-events.js';
import { endpoints, lockEndpoint } from './endpoint.row.js';

/** Removes a receiver with its deliveries; the event log stays. @throws 404. */
@Injectable()
export class DeleteWebhook {
  constructor(private readonly database: Database) {}

  execute(principal: Principal, id: string): Promise<void> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw notFound('The webhook');
      await deleteDeliveries(tx, id);
      await endpoints.delete(tx, { id });
      await publishEndpoint(tx, { ...endpoint, version: endpoint.version + 1 }, [], true);
    });
  }
}
