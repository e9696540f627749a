import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';
import { ENDPOINT_COLUMNS, type EndpointRow } from './endpoint.row.js';
import { representEndpoint, type WebhookEndpoint } from './represent-endpoint.js';

@Injectable()
export class ReadWebhooks {
  constructor(private readonly database: Database) {}

  list(tenantId: string, list: ListQuery): Promise<Page<WebhookEndpoint>> {
    const columns = { enabled: { sql: 'enabled', type: 'boolean' }, url: 'url', createdAt: 'created_at' } as const;
    const { where, params, orderBy, limit, offset } = listSql(list, { columns, usedParams: 1 });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const values = [tenantId, ...params];
        const rows = await tx.query<EndpointRow>(
          `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE tenant_id = $1 AND ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
          values,
        );
        const [count] = await tx.query<{ n: bigint }>(
          `SELECT count(*) AS n FROM webhook_endpoint WHERE tenant_id = $1 AND ${where}`,
          values,
        );
        return page(rows.map((row) => representEndpoint(row)), count!.n, list); // prettier-ignore
      },
      { readOnly: true },
    );
  }

  /** @throws 404. */
  one(tenantId: string, id: string): Promise<WebhookEndpoint> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await tx.query<EndpointRow>(`SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE tenant_id = $1 AND id = $2`, [
          tenantId,
          id,
        ]);
        if (!rows[0]) throw notFound('The webhook');
        return representEndpoint(rows[0]);
      },
      { readOnly: true },
    );
  }
}
