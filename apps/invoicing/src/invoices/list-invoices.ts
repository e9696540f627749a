import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { type ListedTable, type ListOptions, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { DOCUMENT_TYPES, INVOICE_STATUSES } from '../domain/invoices/invoice.js';
import type { InvoiceJson } from './invoice.schema.js';
import { ShowInvoices } from './show-invoices.js';

export const INVOICE_LIST: ListOptions = {
  filters: {
    customer: 'uuid',
    subscription: 'uuid',
    status: INVOICE_STATUSES,
    type: DOCUMENT_TYPES,
    number: 'text',
    sourceType: ['cart', 'subscription', 'manual'],
    dunningStatus: ['reminder', 'dunning', 'none'],
  },
  ranges: ['dueDate', 'creationDate', 'finalizationDate'],
  order: ['number', 'dueDate', 'creationDate', 'finalizationDate', 'grossAmount', 'status'],
  search: true,
};

const COLUMNS = {
  customer: { sql: 't.customer_id', type: 'uuid' },
  status: 't.status',
  type: 't.type',
  number: 't.number',
  sourceType: 't.source_type',
  dueDate: 't.due_at',
  creationDate: 't.created_at',
  finalizationDate: 't.finalized_at',
  grossAmount: 't.gross_minor',
} as const;

/** Documents by filter, newest first. */
@Injectable()
export class ListInvoices {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
  ) {}

  execute(tenantId: string, list: ListQuery): Promise<Page<InvoiceJson>> {
    const { subscription, dunningStatus, ...filters } = list.filters;
    const direction = list.order[0]?.direction === 'asc' ? 'ASC' : 'DESC';
    const listed: ListedTable<InvoiceRow> = {
      table: invoiceTable,
      columns: COLUMNS,
      defaultOrder: `t.created_at ${direction}, t.id ${direction}`,
      condition: (bind) =>
        [
          ...(subscription ? [billsAnyOf(bind(subscription))] : []),
          // Every document has the dunning status `none` so far.
          ...(dunningStatus && !dunningStatus.includes('none') ? ['false'] : []),
          ...(list.search === null ? [] : [isFoundBy(bind(list.search))]),
        ].join(' AND ') || 'true',
    };
    return this.database.tenant(tenantId, async (tx) => {
      const { rows, total } = await listRows(tx, { ...list, filters }, listed);
      return page(await this.showInvoices.execute(tx, rows), total, list);
    });
  }
}

/** Which subscriptions a document bills is kept in another table. */
const billsAnyOf = (subscriptionIds: string): string =>
  `EXISTS (
     SELECT FROM invoice_subscription s
     WHERE s.tenant_id = t.tenant_id AND s.invoice_id = t.id AND s.subscription_id = ANY(${subscriptionIds}::uuid[]))`;

const isFoundBy = (text: string): string =>
  `(position(lower(${text}) IN lower(t.number)) > 0 OR position(lower(${text}) IN lower(t.invoice_address::text)) > 0)`;
