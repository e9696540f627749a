import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, mergedInto, Replicas } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { activities, type ActivityRow } from './activity.row.js';
import type { CustomerActivityJson } from './activity.schema.js';
import { metadataWith } from '../domain/event-log/notices.js';

/** An entry as the API shows it. `user` is null for the system and for API keys, which `metadata.actor` names. */
export const representActivity = (row: ActivityRow): CustomerActivityJson => ({
  id: row.id,
  dateTime: row.at.toISOString(),
  type: row.type,
  user: null,
  metadata: metadataWith(row.metadata, row.actor ?? null),
  pinned: row.pinned,
});

const COLUMNS = { type: 'type', pinned: { sql: 'pinned', type: 'boolean' }, dateTime: 'at' } as const;

/** What happened to one customer, and to those who were merged into it. */
@Injectable()
export class ReadActivities {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** Pinned first, then newest. @throws 404 for an unknown customer. */
  list(tenantId: string, customerId: string, list: ListQuery): Promise<Page<CustomerActivityJson>> {
    return this.database.tenant(tenantId, async (tx) => {
      if ((await this.replicas.get(tx, 'customer', customerId)) === null) throw notFound('The customer');
      const merged = await mergedInto(tx, customerId);
      const { rows, total } = await listRows(tx, list, {
        table: activities,
        columns: COLUMNS,
        defaultOrder: 'pinned DESC, at DESC, id DESC',
        condition: (bind) => `customer_id = ANY (${bind([customerId, ...merged])}::uuid[])`,
      });
      return page(rows.map(representActivity), total, list);
    });
  }
}
