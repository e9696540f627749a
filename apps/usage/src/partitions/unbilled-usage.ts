import type { UnbilledUsageResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { InternalClient, Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { neededSince } from '../domain/partitions/retention.js';

/**
 * Since when a tenant's events are needed for what is still to be billed: a period whose first events are gone costs too little, and nobody
 * sees it. Some metrics are measured from the events themselves, any of them where a period begins within a day of the rollups (in another
 * zone), and where a metric is changed on the way, so that its rollups are built anew.
 */
@Injectable()
export class UnbilledUsage {
  constructor(
    private readonly database: Database,
    private readonly client: InternalClient,
    private readonly log: Log,
  ) {}

  /** Null: nothing is needed; `unknown` while billing does not answer. Outside of any transaction. */
  async neededSince(tenantId: string): Promise<Date | null | 'unknown'> {
    const metrics = await this.database.tenant(
      tenantId,
      (tx) => tx.query('SELECT 1 FROM usage_metric WHERE tenant_id = $1 LIMIT 1', [tenantId]),
      { readOnly: true },
    );
    if (metrics.length === 0) return null;
    try {
      const path = '/internal/unbilled-usage';
      const { since } = await this.client.call<UnbilledUsageResponse>('billing', 'GET', path, undefined, { tenantId });
      return since === null ? null : neededSince(since);
    } catch (error) {
      this.log.warn({ err: error, tenantId }, 'old usage events stay: billing does not say which ones it needs');
      return 'unknown';
    }
  }
}
