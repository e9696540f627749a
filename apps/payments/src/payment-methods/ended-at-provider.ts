import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods } from './payment-method.row.js';
import { saveMethods } from './default-method.js';

/**
 * A provider reports that a method cannot be used any more: the card is gone, the agreement or mandate was cancelled.
 */
@Injectable()
export class EndedAtProvider {
  constructor(private readonly database: Database) {}

  /**
   * `methodReference` is the provider's name of it. Returns how many methods ended; reporting it again changes nothing.
   */
  async execute(gatewayName: string, methodReference: string, reason: string): Promise<number> {
    const found = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM payment_method_at_provider($1, $2)',
        [gatewayName, methodReference],
      ),
    );
    let ended = 0;
    for (const { tenantId, id } of found) if (await this.end(tenantId, id, reason)) ended += 1;
    return ended;
  }

  private end(tenantId: string, id: string, reason: string): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      const [seen] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
      if (!seen) return false;
      await lockCustomers(tx, [seen.customerId]);
      const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
      if (!method || (method.status !== 'active' && method.status !== 'action_required')) return false;
      method.status = /expired/.test(reason) ? 'expired' : 'revoked';
      method.statusReason = reason;
      await saveMethods(tx, [{ method, change: 'updated' }]);
      return true;
    });
  }
}
