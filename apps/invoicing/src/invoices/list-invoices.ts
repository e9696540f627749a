import { Injectable } from '@nestjs/common';
import { Database, selectList } from '@kontor/persistence';
import { type ListOptions, type ListQuery, listSql, page, type Page } from '@kontor/service-kit';
import { InvoiceRow } from '../db/invoice.row.js';
import { DOCUMENT_TYPES, INVOICE_STATUSES } from '../domain/invoice.js';
import { InvoiceReader } from './invoice.read.js';
import type { InvoiceJson } from './represent-invoice.js';

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
    private readonly reader: InvoiceReader,
  ) {}

  execute(tenantId: string, list: ListQuery): Promise<Page<InvoiceJson>> {
    const { where, params, orderBy, limit, offset } = sqlOf(list);
    return this.database.tenant(tenantId, async (tx) => {
      const [count] = await tx.query<{ n: bigint }>(`select count(*) as n from invoice t where ${where}`, params);
      const rows =
        limit === 0
          ? []
          : await tx.query<InvoiceRow>(
              `select ${selectList(InvoiceRow)} from invoice t where ${where} order by ${orderBy} limit ${limit} offset ${offset}`,
              params,
            );
      return page(await this.reader.show(tx, rows), count?.n ?? 0n, list);
    });
  }
}

/** Subscriptions live in a table of their own; nothing here has a dunning status yet but `none`. */
function sqlOf(list: ListQuery) {
  const { subscription, dunningStatus, ...filters } = list.filters;
  const defaultOrder = list.order[0]?.direction === 'asc' ? 't.created_at, t.id' : 't.created_at desc, t.id desc';
  const sql = listSql({ ...list, filters }, { columns: COLUMNS, defaultOrder });
  const params = [...sql.params];
  const conditions = [sql.where];
  if (subscription) {
    params.push(subscription);
    conditions.push(
      `exists (select from invoice_subscription s where s.tenant_id = t.tenant_id and s.invoice_id = t.id and s.subscription_id = any($${params.length}::uuid[]))`,
    );
  }
  if (dunningStatus && !dunningStatus.includes('none')) conditions.push('false');
  if (list.search !== null) {
    params.push(list.search);
    conditions.push(
      `(position(lower($${params.length}) in lower(t.number)) > 0 or position(lower($${params.length}) in lower(t.invoice_address::text)) > 0)`,
    );
  }
  return { ...sql, params, where: conditions.join(' and ') };
}
