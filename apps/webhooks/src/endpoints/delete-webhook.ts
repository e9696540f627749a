import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { publishEndpoint } from './published-events.js';
import { endpoints, lockEndpoint } from './endpoint.row.js';

/**
 * Removes a receiver; the event log stays. Its deliveries are not attempted any more, and are deleted by portions afterwards: whoever records
 * events waits for the receivers' rows, so that a transaction over millions would hold up everybody's webhooks. @throws 404.
 */
@Injectable()
export class DeleteWebhook {
  constructor(private readonly database: Database) {}

  execute(principal: Principal, id: string): Promise<void> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw notFound('The webhook');
      await endpoints.delete(tx, { id });
      await publishEndpoint(tx, { ...endpoint, version: endpoint.version + 1 }, [], true);
    });
  }
}
