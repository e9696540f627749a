import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { findUsageEvent, representUsageEvent } from './usage-event.read.js';

/**
 * Takes an event out of everything that counts. It stays visible, with the time of its voiding, and its transactionId stays used;
 * voiding it again changes nothing.
 */
@Injectable()
export class VoidUsageEvent {
  constructor(private readonly database: Database) {}

  /** @throws DomainError 404 `not_found`. */
  async execute(tenantId: string, id: string | undefined): Promise<ReturnType<typeof representUsageEvent>> {
    return this.database.tenant(tenantId, async (tx) => {
      // From here on the tenant's metrics stay as they are until this is committed.
      await tx.query('SELECT metrics FROM usage_versions($1)', [tenantId]);
      const voided = id && (await tx.query('UPDATE usage_event SET voided_at = $3 WHERE tenant_id = $1 AND id = $2 AND voided_at IS NULL RETURNING 1', [tenantId, id, tx.now])).length > 0; // prettier-ignore
      const event = id && (await findUsageEvent(tx, id));
      if (!event) throw notFound('The usage event');
      void voided;
      return representUsageEvent(event);
    });
  }
}
