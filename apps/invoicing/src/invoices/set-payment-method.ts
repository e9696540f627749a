import { Injectable } from '@nestjs/common';
import { invoicePaymentMethodChosenV1 } from '@kontor/contracts';
import { DomainError, type Tx } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas } from '@kontor/persistence';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { lockInvoice } from './invoice-rows.js';
import type { InvoiceJson } from './invoice.schema.js';
import { checkMethodOfCustomer } from './payment-methods.js';
import { RecordChanges } from './record-changes.js';
import { ShowInvoices } from './show-invoices.js';

/** Names the method by which a draft or an unpaid document is paid; null: the customer's default. */
@Injectable()
export class SetPaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly showInvoices: ShowInvoices,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_unpaid`, `unknown_reference`. */
  execute(tenantId: string, id: string, methodId: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice.status !== 'STATUS_DRAFT' && invoice.status !== 'STATUS_UNPAID') {
        throw new DomainError('invoice_not_unpaid', {
          detail: `The payment method of drafts and unpaid documents can be changed; this one is ${invoice.status}.`,
        });
      }
      await checkMethodOfCustomer(this.replicas, tx, { customerId: invoice.customerId, methodId });
      Object.assign(invoice, { paymentMethodId: methodId, joinable: false, version: invoice.version + 1 });
      await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.payment_method.updated'] }]);
      if (invoice.status === 'STATUS_UNPAID') await requestCollection(tx, invoice);
      await invoiceTable.update(tx, [invoice]);
      return this.showInvoices.byId(tx, id);
    });
  }
}

/** Payments collects what is open by the method that is named now. */
async function requestCollection(tx: Tx, invoice: InvoiceRow): Promise<void> {
  invoice.version += 1;
  const payload = { invoiceId: invoice.id, customerId: invoice.customerId, paymentMethodId: invoice.paymentMethodId };
  await appendEvent(tx, invoicePaymentMethodChosenV1, {
    aggregateId: invoice.id,
    aggregateSeq: invoice.version,
    payload,
  });
}
