import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { countMatching, type ListQuery, listSql, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { PayerLinks } from '../collections/payer-links.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { BankOrders } from '../gateways/port/bank-orders.js';
import { representTransactions } from './represent-transactions.js';
import type { TransactionView } from './transaction.schema.js';

@Injectable()
export class ReadTransactions {
  constructor(
    private readonly database: Database,
    private readonly bankOrders: BankOrders,
    private readonly payerLinks: PayerLinks,
  ) {}

  /** @throws DomainError `not_found`. */
  transaction(tenantId: string, id: string): Promise<TransactionView> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [view] = await this.represent(tx, await transactions.where(tx, 'id = $2', [id]));
        if (!view) throw notFound('The transaction');
        return view;
      },
      { readOnly: true },
    );
  }

  transactions(tenantId: string, list: ListQuery) {
    const uuid = (sql: string) => ({ sql, type: 'uuid' as const });
    const columns = {
      customer: uuid('customer_id'),
      paymentMethod: uuid('payment_method_id'),
      type: 'type',
      status: 'status',
      paymentDate: 'payment_date',
      createdAt: 'created_at',
    };
    const { intent, invoice, ...filters } = list.filters;
    const q = listSql({ ...list, filters }, { columns, usedParams: 1, defaultOrder: 'id DESC' });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const params: unknown[] = [tx.tenantId, ...q.params];
        const conditions = [q.where];
        if (intent) conditions.push(await ofIntents(tx, intent, params));
        if (invoice) conditions.push(await ofIntents(tx, await intentsOf(tx, invoice), params));
        const where = conditions.join(' AND ');
        const total = await countMatching(tx, `FROM payment_transaction WHERE tenant_id = $1 AND ${where}`, params);
        const rows = await transactions.page(tx, where, params.slice(1), q);
        return page(await this.represent(tx, rows), total, list);
      },
      { readOnly: true },
    );
  }

  private represent(tx: TenantTx, rows: readonly PaymentTransaction[]): Promise<TransactionView[]> {
    return representTransactions(tx, rows, this.bankOrders, (row) => this.actionUrlOf(tx.tenantId, row));
  }

  /** The page that leads to the provider and back: the provider's own address is asked for when somebody goes there. */
  private actionUrlOf(tenantId: string, { type, status, intentId }: PaymentTransaction): string | null {
    const waits = type === 'payment' && status === 'action_required' && intentId !== null;
    return waits ? this.payerLinks.linkOf(tenantId, intentId) : null;
  }
}

/** A transaction names its intent; one that is for several is found by what they got of it. */
async function ofIntents(tx: TenantTx, intentIds: readonly string[], params: unknown[]): Promise<string> {
  const shared = await tx.query<{ id: string }>(
    `SELECT t.id FROM payment_transaction t WHERE t.tenant_id = $1 AND t.intent_id IS NULL AND t.id = ANY (ARRAY(
       SELECT a.transaction_id FROM payment_allocation a
         WHERE a.tenant_id = $1 AND a.intent_id = ANY ($2::uuid[]) AND a.transaction_id IS NOT NULL))`,
    [tx.tenantId, intentIds],
  );
  const byIntent = `intent_id = ANY ($${params.push(intentIds)}::uuid[])`;
  return shared.length === 0
    ? byIntent
    : `(${byIntent} OR id = ANY ($${params.push(shared.map(({ id }) => id))}::uuid[]))`;
}

/** What is to be paid of invoices. */
async function intentsOf(tx: TenantTx, invoiceIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM payment_intent WHERE tenant_id = $1 AND invoice_id = ANY ($2::uuid[])',
    [tx.tenantId, invoiceIds],
  );
  return rows.map(({ id }) => id);
}
