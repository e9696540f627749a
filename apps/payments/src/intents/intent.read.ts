import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { intentState, nextRetryAt } from '../customer-books/books-events.js';
import { type IntentRow, intents } from '../customer-books/intent.row.js';
import { BankOrders } from '../gateways/port/bank-orders.js';
import type { IntentView } from './intent.schema.js';

const uuid = (sql: string) => ({ sql, type: 'uuid' as const });
const LISTED = {
  table: intents,
  columns: {
    customer: uuid('customer_id'),
    invoice: uuid('invoice_id'),
    topUp: uuid('top_up_id'),
    paymentMethod: uuid('payment_method_id'),
    status: 'status',
    currencyCode: 'currency_code',
    createdAt: 'created_at',
    paidAt: 'paid_at',
  },
  defaultOrder: 'id DESC',
};

@Injectable()
export class ReadIntents {
  constructor(
    private readonly database: Database,
    private readonly bankOrders: BankOrders,
  ) {}

  /** @throws DomainError `not_found`. */
  intent(tenantId: string, id: string): Promise<IntentView> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [view] = await this.represent(tx, await intents.findByIds(tx, [id]));
        if (!view) throw notFound('The payment intent');
        return view;
      },
      { readOnly: true },
    );
  }

  list(tenantId: string, list: ListQuery) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, LISTED);
        return page(await this.represent(tx, rows), total, list);
      },
      { readOnly: true },
    );
  }

  private async represent(tx: TenantTx, rows: readonly IntentRow[]): Promise<IntentView[]> {
    const days = await this.bankOrders.debitDays(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map((intent) => ({
      ...intentState(intent),
      attempts: intent.attempts,
      nextRetryAt: nextRetryAt(intent),
      collectionDate: days.get(intent.id) ?? null,
      createdAt: intent.createdAt.toISOString(),
    }));
  }
}
