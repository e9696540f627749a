import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { metricsChanged } from '../rollups/build-rollups.js';

/** Waits no longer. @throws DomainError 404 `not_found`. */
@Injectable()
export class DeleteThreshold {
  constructor(private readonly database: Database) {}

  async execute(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const [gone] = await tx.query<{ metric_id: string }>('DELETE FROM usage_threshold WHERE tenant_id = $1 AND id = $2 RETURNING metric_id', [tenantId, id]); // prettier-ignore
      if (!gone) throw notFound('The usage threshold');
      // One that is made at the same time sets it again: it waits for this row.
      await tx.query('SELECT 1 FROM usage_metric WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tenantId, gone.metric_id]);
      await tx.query(
        `UPDATE usage_metric SET watched = EXISTS (SELECT 1 FROM usage_threshold t WHERE t.tenant_id = $1 AND t.metric_id = $2)
         WHERE tenant_id = $1 AND id = $2`,
        [tenantId, gone.metric_id],
      );
      await metricsChanged(tx);
    });
  }
}
