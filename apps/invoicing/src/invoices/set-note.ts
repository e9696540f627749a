import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { lockInvoice } from './invoice-rows.js';
import type { InvoiceJson } from './invoice.schema.js';
import { RecordChanges } from './record-changes.js';
import { ShowInvoices } from './show-invoices.js';

/** Writes the internal note of a document, in any status. */
@Injectable()
export class SetNote {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  execute(tenantId: string, id: string, note: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await lockInvoice(tx, id);
      Object.assign(invoice, { internalNote: note === '' ? null : note, version: invoice.version + 1 });
      await invoiceTable.update(tx, [invoice]);
      await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.updated'] }]);
      return this.showInvoices.byId(tx, id);
    });
  }
}
