import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';

/** Pauses the dunning of an invoice, or lets it go on. */
@Injectable()
export class SetDunning {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** @throws DomainError 404; 422 `invalid_document_type`. */
  execute(tenantId: string, id: string, dunningDisabled: boolean): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice.type !== 'TYPE_INVOICE')
        throw new DomainError('invalid_document_type', {
          detail: `Only invoices are dunned; this document is ${invoice.type}.`,
        });
      if (invoice.dunningDisabled !== dunningDisabled) {
        Object.assign(invoice, { dunningDisabled, version: invoice.version + 1 });
        await invoiceTable.update(tx, [invoice], ['version', 'dunningDisabled']);
        const notice = dunningDisabled ? 'invoice.dunning.disabled' : 'invoice.dunning.enabled';
        await this.recordChanges.execute(tx, [{ invoice, notices: [notice] }]);
      }
      return this.showInvoices.byId(tx, id);
    });
  }
}
