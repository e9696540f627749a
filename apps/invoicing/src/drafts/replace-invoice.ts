import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { invoiceSubscriptionTable } from '../db/document.row.js';
import { positionTable } from '../db/position.row.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { checkMethodOfCustomer } from '../invoices/payment-methods.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { eInvoiceInput } from './e-invoice-input.js';
import { DraftEditor } from './draft-editor.js';
import type { InvoiceDto } from './draft.dto.js';
import { PositionInput } from './position-input.js';
import { TakeChargesOff } from './take-charges-off.js';

/** Replaces a draft: what the request leaves out gets its default, positions included. */
@Injectable()
export class ReplaceInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly editor: DraftEditor,
    private readonly showInvoices: ShowInvoices,
    private readonly input: PositionInput,
    private readonly takeChargesOff: TakeChargesOff,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`, `charge_credited`, and those of creation. */
  execute(tenantId: string, id: string, dto: InvoiceDto): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, id);
      const customer = await this.editor.customer(tx, dto.customer);
      if (customer.id !== draft.invoice.customerId && draft.invoice.sourceType !== 'manual') {
        throw new DomainError('validation_failed', {
          detail: 'The document bills a subscription of its customer, which cannot be replaced by another one.',
          violations: [
            { propertyPath: 'customer', message: 'The customer cannot be changed.', code: 'not_changeable' },
          ],
        });
      }
      const paymentMethodId = dto.paymentMethod ?? null;
      await checkMethodOfCustomer(this.replicas, tx, { customerId: customer.id, methodId: paymentMethodId });
      await this.editor.checkCustomFields(tx, dto.customFields ?? null);
      const sameCustomer = customer.id === draft.invoice.customerId;
      Object.assign(draft.invoice, {
        customerId: customer.id,
        invoiceAddressId: sameCustomer ? draft.invoice.invoiceAddressId : null,
        currencyCode: dto.currencyCode ?? customer.currencyCode,
        dueAt: dto.dueDate ? new Date(dto.dueDate) : null,
        paymentMethodId,
        customFields: dto.customFields ?? null,
        ...eInvoiceInput(dto),
        joinable: false,
      });
      await this.takeChargesOff.execute(tx, draft, draft.positions);
      await positionTable.delete(tx, { invoiceId: id });
      await invoiceSubscriptionTable.delete(tx, { invoiceId: id });
      draft.positions = await this.input.read(tx, dto.positions ?? [], { invoiceId: id, after: 0, existing: [] });
      await this.editor.save(tx, draft, new Set(draft.positions.map((position) => position.id)));
      return this.showInvoices.byId(tx, id);
    });
  }
}
