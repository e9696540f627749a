import { Injectable } from '@nestjs/common';
import { type CustomerState, invoicePaymentMethodChosenV1 } from '@kontor/contracts';
import { DomainError, newUuid, type Tx, unknownReference } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import { PositionRow } from '../db/position.row.js';
import { DraftEditor } from './draft-editor.js';
import { InvoiceReader } from './invoice.read.js';
import { newDraft } from './price-draft.js';
import { RecordChanges } from './record-changes.js';
import type { InvoiceJson } from './represent-invoice.js';
import { emptyInvoice, updateInvoices } from './save-drafts.js';

/** The small operations on a document that have a route each. */
@Injectable()
export class ChangeInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly editor: DraftEditor,
    private readonly reader: InvoiceReader,
    private readonly record: RecordChanges,
  ) {}

  /** Names the recipient address of a draft; null: the customer's default. @throws DomainError 404; 422 `invoice_not_draft`, `unknown_reference`. */
  address(tenantId: string, id: string, addressId: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, id);
      if (addressId !== null) {
        const customer = await this.replicas.get<CustomerState>(tx, 'customer', draft.invoice.customerId);
        if (!customer?.addresses.some((address) => address.id === addressId && address.status === 'active'))
          throw unknownReference('invoiceAddress', 'address');
      }
      draft.invoice.invoiceAddressId = addressId;
      draft.invoice.joinable = false;
      await this.editor.save(tx, draft);
      return this.reader.one(tx, id);
    });
  }

  /** Names the method that settles a draft or unpaid document. @throws DomainError 404; 422 `invoice_not_unpaid`, `unknown_reference`. */
  paymentMethod(tenantId: string, id: string, methodId: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await this.reader.row(tx, id, true);
      if (invoice.status !== 'STATUS_DRAFT' && invoice.status !== 'STATUS_UNPAID') {
        throw new DomainError('invoice_not_unpaid', {
          detail: `The payment method of drafts and unpaid documents can be changed; this one is ${invoice.status}.`,
        });
      }
      await this.editor.mustOwnMethod(tx, invoice.customerId, methodId);
      Object.assign(invoice, { paymentMethodId: methodId, joinable: false, version: invoice.version + 1 });
      await this.record.execute(tx, [{ invoice, notices: ['invoice.payment_method.updated'] }]);
      if (invoice.status === 'STATUS_UNPAID') await askForCollection(tx, invoice);
      await updateInvoices(tx, [invoice]);
      return this.reader.one(tx, id);
    });
  }

  /** Writes the internal note, in any status. @throws DomainError 404. */
  note(tenantId: string, id: string, note: string | null): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const invoice = await this.reader.row(tx, id, true);
      Object.assign(invoice, { internalNote: note === '' ? null : note, version: invoice.version + 1 });
      await updateInvoices(tx, [invoice]);
      await this.record.execute(tx, [{ invoice, notices: ['invoice.updated'] }]);
      return this.reader.one(tx, id);
    });
  }

  /** A new draft by hand with the same positions, priced as of today. @throws DomainError 404; 422 `invalid_document_type`, `customer_archived`. */
  duplicate(tenantId: string, id: string): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const original = await this.reader.row(tx, id);
      if (original.type !== 'TYPE_INVOICE') throw new DomainError('invalid_document_type', { detail: 'Only invoices can be duplicated.' });
      await this.editor.customer(tx, original.customerId);
      const { customerId, currencyCode, paymentMethodId, invoiceAddressId, customFields } = original;
      const copy = { customerId, currencyCode, paymentMethodId, invoiceAddressId, customFields };
      const invoice = emptyInvoice({ tenantId, id: newUuid(), sourceType: 'manual', createdAt: tx.now, ...copy });
      const positions = (await this.reader.positions(tx, [id])).get(id) ?? [];
      return this.editor.create(tx, newDraft(invoice, copyOf(tx, positions, invoice.id)));
    });
  }
}

/** Payments collects what is open by the method that is named now. */
async function askForCollection(tx: Tx, invoice: InvoiceRow): Promise<void> {
  invoice.version += 1;
  const payload = { invoiceId: invoice.id, customerId: invoice.customerId, paymentMethodId: invoice.paymentMethodId };
  await appendEvent(tx, invoicePaymentMethodChosenV1, { aggregateId: invoice.id, aggregateSeq: invoice.version, payload });
}

/** Positions of another document, without their ties to charges: the copy bills nothing that is billed already. */
function copyOf(tx: Tx, positions: readonly PositionRow[], invoiceId: string): PositionRow[] {
  const ids = new Map(positions.map((position) => [position.id, newUuid()]));
  return positions.map((position) =>
    Object.assign(new PositionRow(), position, {
      id: ids.get(position.id),
      parentId: position.parentId === null ? null : ids.get(position.parentId),
      invoiceId,
      chargeId: null,
      subscription: null,
      subscriptionItem: null,
      createdAt: tx.now,
    }),
  );
}
