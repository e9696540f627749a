import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { DraftEditor } from './draft-editor.js';

/** Names the recipient address of a draft; null: the customer's default. */
@Injectable()
export class SetInvoiceAddress {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly editor: DraftEditor,
    private readonly showInvoices: ShowInvoices,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`, `unknown_reference`. */
  execute(tenantId: string, id: string, addressId: string | null): Promise<InvoiceJson> {
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
      return this.showInvoices.byId(tx, id);
    });
  }
}
