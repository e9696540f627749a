import { Injectable } from '@nestjs/common';
import { type CustomerState, invoiceSendRequestedV1 } from '@kontor/contracts';
import { DomainError, invalidTransition } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { invoiceSendRequested } from './invoice-events.js';
import { lockInvoice } from './invoice-rows.js';
import type { InvoiceJson } from './invoice.schema.js';
import { RecordChanges } from './record-changes.js';
import { ShowInvoices } from './show-invoices.js';

/** Has a finalized document mailed with its file; each request is a mail of its own. */
@Injectable()
export class SendInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly showInvoices: ShowInvoices,
    private readonly recordChanges: RecordChanges,
  ) {}

  /**
   * `email` null: the customer's address for invoices.
   * @throws DomainError 404; 422 `invalid_status_transition` (not finalized), `recipient_missing`.
   */
  execute(tenantId: string, id: string, email: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice.status === 'STATUS_DRAFT' || invoice.status === 'STATUS_FINALIZING')
        throw invalidTransition('document', invoice.status, 'send');
      const customer = await this.replicas.get<CustomerState>(tx, 'customer', invoice.customerId);
      const recipient = email ?? customer?.invoiceEmail ?? customer?.email;
      if (!recipient)
        throw new DomainError('recipient_missing', {
          detail: 'The customer has no e-mail address; name one in `email`.',
          violations: [{ propertyPath: 'email', message: 'No address is known.', code: 'recipient_missing' }],
        });
      Object.assign(invoice, { lastSentAt: tx.now, version: invoice.version + 1 });
      await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.sent'] }]);
      invoice.version += 1;
      await appendEvent(tx, invoiceSendRequestedV1, {
        aggregateId: id,
        aggregateSeq: invoice.version,
        payload: invoiceSendRequested(invoice, recipient),
      });
      await invoiceTable.update(tx, [invoice], ['version', 'lastSentAt']);
      return this.showInvoices.byId(tx, id);
    });
  }
}
