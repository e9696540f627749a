import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, onCommit, type TenantTx } from '@kontor/persistence';
import { UpdateRollups } from '../rollups/update-rollups.js';
import { findUsageEvent, representUsageEvent } from '../event-queries/usage-event.read.js';
import type { UsageEventJson } from '../event-queries/usage-event.schema.js';

/**
 * Takes an event out of everything that counts. It stays visible, with the time of its voiding, and its transactionId
 * stays used; voiding it again changes nothing.
 */
@Injectable()
export class VoidUsageEvent {
  constructor(
    private readonly database: Database,
    private readonly updateRollups: UpdateRollups,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  async execute(tenantId: string, id: string | undefined): Promise<UsageEventJson> {
    return this.database.tenant(tenantId, async (tx) => {
      // From here on the tenant's metrics stay as they are until this is committed.
      const [versions] = await tx.query<{ metrics: bigint }>('SELECT metrics FROM usage_versions($1)', [tenantId]);
      const isNew = id !== undefined && (await markVoided(tx, id));
      const event = id === undefined ? null : await findUsageEvent(tx, id);
      if (!event) throw notFound('The usage event');
      if (isNew) {
        await this.updateRollups.execute(tx.client, tenantId, versions!.metrics, { removed: [event] });
        onCommit(tx, () => this.updateRollups.committed(tenantId));
      }
      return representUsageEvent(event);
    });
  }
}

async function markVoided(tx: TenantTx, id: string): Promise<boolean> {
  const sql =
    'UPDATE usage_event SET voided_at = $3 WHERE tenant_id = $1 AND id = $2 AND voided_at IS NULL RETURNING 1';
  return (await tx.query(sql, [tx.tenantId, id, tx.now])).length > 0;
}
