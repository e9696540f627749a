import { Injectable } from '@nestjs/common';
import type { EventHeaders } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';
import { metadataWith } from '../domain/notices.js';

export interface ActivityRow {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly actor: EventHeaders['actor'] | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly pinned: boolean;
}

export const ACTIVITY_COLUMNS = 'id, type, at, actor, metadata, pinned';

/** An entry as the API shows it. `user` is null for the system and for API keys, which `metadata.actor` names. */
export const representActivity = (row: ActivityRow) => ({
  id: row.id,
  dateTime: row.at.toISOString(),
  type: row.type,
  user: null,
  metadata: metadataWith(row.metadata, row.actor),
  pinned: row.pinned,
});
export type Activity = ReturnType<typeof representActivity>;

/** What happened to one customer. */
@Injectable()
export class ReadActivities {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** Pinned first, then newest. @throws 404 for an unknown customer. */
  list(tenantId: string, customerId: string, list: ListQuery): Promise<Page<Activity>> {
    const { where, params, limit, offset } = listSql(list, {
      columns: { type: 'type', pinned: { sql: 'pinned', type: 'boolean' }, dateTime: 'at' },
      usedParams: 2,
    });
    return this.database.tenant(tenantId, async (tx) => {
      if ((await this.replicas.get(tx, 'customer', customerId)) === null) throw notFound('The customer');
      const values = [tenantId, customerId, ...params];
      const rows = await tx.query<ActivityRow>(
        `SELECT ${ACTIVITY_COLUMNS} FROM activity WHERE tenant_id = $1 AND customer_id = $2 AND ${where} ORDER BY pinned DESC, at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
        values,
      );
      const [count] = await tx.query<{ n: bigint }>(
        `SELECT count(*) AS n FROM activity WHERE tenant_id = $1 AND customer_id = $2 AND ${where}`,
        values,
      );
      return page(rows.map(representActivity), count!.n, list);
    });
  }
}
