import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { countMatching, type ListQuery, listSql, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { methods } from './payment-method.row.js';
import { representMethod } from './represent-method.js';
import type { PaymentMethodView } from './payment-method.schema.js';

@Injectable()
export class ReadPaymentMethods {
  constructor(private readonly database: Database) {}

  /** Also answers removed methods to nobody: they are 404. @throws DomainError `not_found`. */
  get(tenantId: string, id: string): Promise<PaymentMethodView> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
        if (!method) throw notFound('The payment method');
        return representMethod(method);
      },
      { readOnly: true },
    );
  }

  list(tenantId: string, list: ListQuery) {
    const columns = {
      customer: { sql: 'customer_id', type: 'uuid' as const },
      status: 'status',
      creationDate: 'creation_date',
    };
    const q = listSql(list, { columns, usedParams: 1, defaultOrder: 'creation_date DESC NULLS LAST, id DESC' });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const where = `deleted_at IS NULL AND ${q.where}`;
        const from = `FROM payment_method WHERE tenant_id = $1 AND ${where}`;
        const total = await countMatching(tx, from, [tx.tenantId, ...q.params]);
        const rows = await methods.page(tx, where, q.params, q);
        return page(rows.map(representMethod), total, list);
      },
      { readOnly: true },
    );
  }
}
