import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { saveMethods } from './default-method.js';
import { methods, type PaymentMethod } from './payment-method.row.js';

/** What providers report of methods, which they call by `methodReference`. Reporting it again changes nothing. */
@Injectable()
export class MethodsAtProvider {
  constructor(private readonly database: Database) {}

  /** It cannot be used any more: the card is gone, the agreement or mandate was cancelled. Returns how many methods ended. */
  end(gatewayName: string, methodReference: string, reason: string): Promise<number> {
    return this.change(gatewayName, methodReference, (method) => {
      if (method.status !== 'active' && method.status !== 'action_required') return false;
      method.status = /expired/.test(reason) ? 'expired' : 'revoked';
      method.statusReason = reason;
      return true;
    });
  }

  /** What its provider had ended goes on; what was revoked here stays so. Returns how many methods were changed. */
  reinstate(gatewayName: string, methodReference: string): Promise<number> {
    return this.change(gatewayName, methodReference, (method) => {
      const endedThere = method.status === 'revoked' || method.status === 'expired';
      if (!endedThere || !method.statusReason?.startsWith('mandate_')) return false;
      Object.assign(method, { status: 'active', statusReason: null });
      return true;
    });
  }

  /** It goes on under another name, by which it collects from now on. Returns how many methods were changed. */
  replace(gatewayName: string, methodReference: string, replacement: string): Promise<number> {
    return this.change(gatewayName, methodReference, (method) => {
      if (method.referenceId !== methodReference) return false;
      method.referenceId = replacement;
      return true;
    });
  }

  private async change(
    gatewayName: string,
    reference: string,
    apply: (method: PaymentMethod) => boolean,
  ): Promise<number> {
    const found = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM payment_method_at_provider($1, $2)',
        [gatewayName, reference],
      ),
    );
    let changed = 0;
    for (const { tenantId, id } of found) if (await this.changeMethod(tenantId, id, apply)) changed += 1;
    return changed;
  }

  private changeMethod(tenantId: string, id: string, apply: (method: PaymentMethod) => boolean): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      const [seen] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
      if (!seen) return false;
      await lockCustomers(tx, [seen.customerId]);
      const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
      if (!method || !apply(method)) return false;
      await saveMethods(tx, [{ method, change: 'updated' }]);
      return true;
    });
  }
}
