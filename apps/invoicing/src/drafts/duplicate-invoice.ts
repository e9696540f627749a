import { Injectable } from '@nestjs/common';
import { DomainError, newUuid, type Tx } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { PositionRow } from '../db/position.row.js';
import { findInvoice, positionsOf } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { emptyInvoice } from '../invoices/new-rows.js';
import { newDraft } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';
import { mustHaveRoom } from './position-input.js';

/** Makes a new draft with the same positions, priced as of today. */
@Injectable()
export class DuplicateInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
  ) {}

  /** @throws DomainError 404; 422 `invalid_document_type`, `customer_archived`, `too_many_positions`. */
  execute(tenantId: string, id: string): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const original = await findInvoice(tx, id);
      if (original.type !== 'TYPE_INVOICE')
        throw new DomainError('invalid_document_type', { detail: 'Only invoices can be duplicated.' });
      await this.editor.customer(tx, original.customerId);
      const positions = await positionsOf(tx, id);
      mustHaveRoom(0, positions.length);
      const { customerId, currencyCode, paymentMethodId, invoiceAddressId, customFields, leitwegId } = original;
      const copied = { customerId, currencyCode, paymentMethodId, invoiceAddressId, customFields, leitwegId };
      const invoice = emptyInvoice({ tenantId, id: newUuid(), sourceType: 'manual', createdAt: tx.now, ...copied });
      return this.editor.create(tx, newDraft(invoice, copyOf(tx, positions, invoice.id)));
    });
  }
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
      originalChargeId: null,
      subscription: null,
      subscriptionItem: null,
      createdAt: tx.now,
    }),
  );
}
