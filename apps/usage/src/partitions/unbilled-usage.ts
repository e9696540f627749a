import type { UnbilledUsageRequest, UnbilledUsageResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { InternalClient, Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { AGGREGATION_TYPES, needsRawEvents } from '../domain/metrics/metric.js';
import { neededSince } from '../domain/partitions/retention.js';

const FROM_EVENTS = AGGREGATION_TYPES.filter(needsRawEvents);

/**
 * Since when a tenant's events are needed for what is still to be billed. That are those of metrics whose amounts are measured from
 * the events themselves: a period of such a metric whose first events are gone costs too little, and nobody sees it.
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
      (tx) =>
        tx.query<{ id: string }>(
          'SELECT id FROM usage_metric WHERE tenant_id = $1 AND aggregation_type = ANY ($2::text[])',
          [tenantId, FROM_EVENTS],
        ),
      { readOnly: true },
    );
    if (metrics.length === 0) return null;
    const body: UnbilledUsageRequest = { metricIds: metrics.map(({ id }) => id) };
    try {
      const { since } = await this.client.call<UnbilledUsageResponse>(
        'billing',
        'POST',
        '/internal/unbilled-usage',
        body,
        { tenantId },
      );
      return since === null ? null : neededSince(since);
    } catch (error) {
      this.log.warn({ err: error, tenantId }, 'old usage events stay: billing does not say which ones it needs');
      return 'unknown';
    }
  }
}
