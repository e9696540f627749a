import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { endpoints } from './endpoint.row.js';
import { representEndpoint } from './represent-endpoint.js';
import type { WebhookJson } from './webhook.schema.js';

const COLUMNS = { enabled: { sql: 'enabled', type: 'boolean' }, url: 'url', createdAt: 'created_at' } as const;

@Injectable()
export class ReadWebhooks {
  constructor(private readonly database: Database) {}

  list(tenantId: string, list: ListQuery): Promise<Page<WebhookJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, { table: endpoints, columns: COLUMNS });
        return page(
          rows.map((row) => representEndpoint(row)),
          total,
          list,
        );
      },
      { readOnly: true },
    );
  }

  /** @throws 404. */
  get(tenantId: string, id: string): Promise<WebhookJson> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const endpoint = await endpoints.get(tx, id);
        if (!endpoint) throw notFound('The webhook');
        return representEndpoint(endpoint);
      },
      { readOnly: true },
    );
  }
}
