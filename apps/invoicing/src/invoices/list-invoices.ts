import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database, searchedText, type TenantTx } from '@kontor/persistence';
import {
  type ListedTable,
  type ListOptions,
  type ListQuery,
  listRows,
  ownCustomerId,
  ownList,
  page,
  type Page,
} from '@kontor/service-kit';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { invoiceSearch } from '../db/invoice-search.js';
import { DUNNING_STATUSES } from '../domain/dunning/dunning-document.js';
import { DOCUMENT_TYPES, INVOICE_STATUSES } from '../domain/invoices/invoice.js';
import { withoutInternals } from './get-invoice.js';
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
    dunningStatus: DUNNING_STATUSES,
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
  dunningStatus: 't.dunning_status',
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

  async execute(caller: Principal, asked: ListQuery): Promise<Page<InvoiceJson>> {
    const isOwn = ownCustomerId(caller) !== null;
    const list = ownList(caller, asked);
    const { subscription, ...filters } = list.filters;
    const listed: ListedTable<InvoiceRow> = {
      table: invoiceTable,
      columns: COLUMNS,
      defaultOrder: 't.created_at DESC, t.id DESC',
      search: SEARCH,
      ...(subscription || isOwn ? { condition: conditionFor(subscription, isOwn) } : {}),
    };
    const read = async (tx: TenantTx): Promise<Page<InvoiceJson>> => {
      const { rows, total } = await listRows(tx, { ...list, filters }, listed);
      return page(await this.showInvoices.execute(tx, rows), total, list);
    };
    const found = await this.database.tenant(caller.tenantId, read, { pipelined: true });
    return isOwn ? { ...found, data: found.data.map(withoutInternals) } : found;
  }
}

/** A customer sees no drafts. */
const conditionFor =
  (subscriptionIds: readonly string[] | undefined, isOwn: boolean) =>
  (bind: (value: unknown) => string): string =>
    [
      ...(subscriptionIds ? [billsAnyOf(bind(subscriptionIds))] : []),
      ...(isOwn ? [`t.status <> 'STATUS_DRAFT'`] : []),
    ].join(' AND ');

/** Which subscriptions a document bills is kept in another table. */
const billsAnyOf = (subscriptionIds: string): string =>
  `EXISTS (
     SELECT FROM invoice_subscription s
     WHERE s.tenant_id = t.tenant_id AND s.invoice_id = t.id AND s.subscription_id = ANY(${subscriptionIds}::uuid[]))`;

/** The text that a document is searched by is kept with its snapshot; a draft has none. */
const SEARCH = {
  ids: invoiceSearch.name,
  text: `(SELECT ${searchedText(invoiceSearch)} FROM document_snapshot s WHERE s.tenant_id = t.tenant_id AND s.invoice_id = t.id)`,
};
