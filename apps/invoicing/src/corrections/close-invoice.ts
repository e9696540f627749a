import { Injectable } from '@nestjs/common';
import { invoiceClosedV1 } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import { Database } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { taxesOf } from '../domain/corrections/taxes.js';
import { NOT_DUNNED } from '../domain/dunning/dunning-document.js';
import { mustAllowClosing } from '../domain/corrections/transitions.js';
import { invoiceClosed } from '../invoices/invoice-events.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { EndDunning } from '../dunning/end-dunning.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { refuseWhilePaid } from '../payments/payment-operation.row.js';
import { loadRest } from '../pricing/load-rest.js';

/**
 * Gives up what is still open of an invoice. Payments, which knows how much that is, writes it off and corrects the tax
 * by what this says about the kinds of tax that are left.
 */
@Injectable()
export class CloseInvoice {
  constructor(
    private readonly database: Database,
    private readonly recordChanges: RecordChanges,
    private readonly endDunning: EndDunning,
    private readonly showInvoices: ShowInvoices,
  ) {}

  /** @throws DomainError 404; 409 `payment_in_progress`; 422 `invalid_document_type`, `invalid_status_transition`. */
  execute(tenantId: string, id: string, reason: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await lockInvoice(tx, id);
      mustAllowClosing(invoice);
      await refuseWhilePaid(tx, id);
      const { positions, rests } = await loadRest(tx, id);
      await this.endDunning.cancelOf(tx, id);
      const version = invoice.version + 1;
      // What is cancelled stays so: its cancellation has taken back all of its tax.
      const isCancelled = invoice.status === 'STATUS_CANCELLED';
      if (!isCancelled) Object.assign(invoice, { status: 'STATUS_CLOSED', reason });
      Object.assign(invoice, { unpaidMinor: 0n, version, ...NOT_DUNNED });
      await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.closed'] }], {
        positions: new Map([[id, positions]]),
      });
      invoice.version += 1;
      await appendEvent(tx, invoiceClosedV1, {
        aggregateId: id,
        aggregateSeq: invoice.version,
        payload: invoiceClosed(invoice, isCancelled ? [] : taxesOf(rests), positions),
      });
      await invoiceTable.update(tx, [invoice]);
      return this.showInvoices.byId(tx, id);
    });
  }
}
