import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { notFound, type Tx } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { type ListOptions, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { invoiceTable } from '../db/invoice.row.js';
import { DUNNING_DOCUMENT_STATUSES, DUNNING_TYPES } from '../domain/dunning/dunning-document.js';
import { type DunningDocumentRow, dunningDocumentTable } from './dunning-document.row.js';
import type { DunningDocumentJson } from './dunning.schema.js';
import { representDunning } from './represent-dunning.js';

export const DUNNING_LIST: ListOptions = {
  filters: {
    customer: 'uuid',
    invoice: 'uuid',
    status: [...DUNNING_DOCUMENT_STATUSES],
    type: [...DUNNING_TYPES],
  },
  ranges: ['documentDate'],
  order: ['documentDate', 'level'],
};

/** Reminders and dunning letters as answers show them. */
@Injectable()
export class DunningDocuments {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  list(tenantId: string, list: ListQuery): Promise<Page<DunningDocumentJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: dunningDocumentTable,
          columns: {
            customer: { sql: 't.customer_id', type: 'uuid' },
            invoice: { sql: 't.invoice_id', type: 'uuid' },
            status: 't.status',
            type: 't.type',
            level: 't.level',
            documentDate: 't.created_at',
          },
          defaultOrder: 't.created_at DESC, t.id DESC',
        });
        return page(await this.show(tx, rows), total, list);
      },
      { pipelined: true },
    );
  }

  /** @throws DomainError 404 `not_found`. */
  get(tenantId: string, id: string): Promise<DunningDocumentJson> {
    return this.database.tenant(tenantId, (tx) => this.byId(tx, id), { readOnly: true });
  }

  /** @throws DomainError 404 `not_found`. */
  async byId(tx: Tx, id: string): Promise<DunningDocumentJson> {
    const document = await dunningDocumentTable.get(tx, id);
    if (!document) throw notFound('The dunning document');
    const [shown] = await this.show(tx, [document]);
    return shown as DunningDocumentJson;
  }

  private async show(tx: Tx, documents: readonly DunningDocumentRow[]): Promise<DunningDocumentJson[]> {
    const rows = await invoiceTable.findByIds(
      tx,
      documents.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const customers = await this.replicas.getMany<CustomerState>(
      tx,
      'customer',
      documents.map(({ customerId }) => customerId),
    );
    return documents.flatMap((document) => {
      const row = byId.get(document.id);
      return row ? [representDunning(document, row, customers.get(document.customerId)?.representation)] : [];
    });
  }
}
