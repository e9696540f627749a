import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { saveMethods } from './default-method.js';
import { methods } from './payment-method.row.js';

/** A provider reports that a mandate goes on under another name: the method collects by that one from now on. */
@Injectable()
export class ReplacedAtProvider {
  constructor(private readonly database: Database) {}

  /** Returns how many methods were changed; reporting it again changes nothing. */
  async execute(gatewayName: string, methodReference: string, replacement: string): Promise<number> {
    const found = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM payment_method_at_provider($1, $2)',
        [gatewayName, methodReference],
      ),
    );
    for (const { tenantId, id } of found)
      await this.database.tenant(tenantId, async (tx) => {
        const [seen] = await methods.where(tx, 'id = $2', [id]);
        if (!seen) return;
        await lockCustomers(tx, [seen.customerId]);
        const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
        if (method?.referenceId !== methodReference) return;
        method.referenceId = replacement;
        await saveMethods(tx, [{ method, change: 'updated' }]);
      });
    return found.length;
  }
}
