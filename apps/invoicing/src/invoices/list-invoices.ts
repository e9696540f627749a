import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { customerTreeSql, Database, searchedText, type TenantTx } from '@kontor/persistence';
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
import type { PositionRow } from '../db/position.row.js';
import { DUNNING_STATUSES } from '../domain/dunning/dunning-document.js';
import { DOCUMENT_TYPES, INVOICE_STATUSES } from '../domain/invoices/invoice.js';
import { withoutInternals } from './get-invoice.js';
import { loadPositions } from './invoice-rows.js';
import type { InvoiceJson } from './invoice.schema.js';
import { ShowInvoices } from './show-invoices.js';

export const INVOICE_LIST: ListOptions = {
  filters: {
    customer: 'uuid',
    customerTree: 'uuid',
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

/** A page of more than one document has so many positions at most, some 20 MB: documents of runs have any number. */
const MAX_POSITIONS = 10_000;

/** Documents by filter, newest first. @throws DomainError 422 `query_too_large` when those of a page are too long together */
@Injectable()
export class ListInvoices {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
  ) {}

  async execute(caller: Principal, asked: ListQuery): Promise<Page<InvoiceJson>> {
    const isOwn = ownCustomerId(caller) !== null;
    const list = ownList(caller, asked);
    const { subscription, customerTree, ...filters } = list.filters;
    const conditions: Condition[] = [];
    if (subscription) conditions.push((bind) => billsAnyOf(bind(subscription)));
    if (customerTree)
      conditions.push((bind) => `t.customer_id = ANY(${customerTreeSql(bind(caller.tenantId), bind(customerTree))})`);
    // A customer sees no drafts.
    if (isOwn) conditions.push(() => `t.status <> 'STATUS_DRAFT'`);
    const listed: ListedTable<InvoiceRow> = {
      table: invoiceTable,
      columns: COLUMNS,
      defaultOrder: 't.created_at DESC, t.id DESC',
      search: SEARCH,
      ...(conditions.length > 0 && {
        condition: (bind) => conditions.map((condition) => condition(bind)).join(' AND '),
      }),
    };
    const read = async (tx: TenantTx): Promise<Page<InvoiceJson>> => {
      const { rows, total } = await listRows(tx, { ...list, filters }, listed);
      const positions = await positionsOfPage(tx, rows);
      return page(await this.showInvoices.execute(tx, rows, { positions, isLast: true }), total, list);
    };
    const found = await this.database.tenant(caller.tenantId, read, { pipelined: true });
    return isOwn ? { ...found, data: found.data.map(withoutInternals) } : found;
  }
}

/** @throws DomainError 422 `query_too_large` */
async function positionsOfPage(tx: TenantTx, documents: readonly InvoiceRow[]): Promise<Map<string, PositionRow[]>> {
  const tooMany = documents.length > 1 ? MAX_POSITIONS + 1 : undefined;
  const positions = await loadPositions(
    tx,
    documents.map(({ id }) => id),
    tooMany,
  );
  if ([...positions.values()].flat().length === tooMany)
    throw new DomainError('query_too_large', {
      detail: `These ${documents.length} documents have more than ${MAX_POSITIONS} positions: ask for fewer of them at once (limit).`,
    });
  return positions;
}

type Condition = (bind: (value: unknown) => string) => string;

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
