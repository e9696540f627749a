import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { emptyInvoice } from '../invoices/new-rows.js';
import { checkMethodOfCustomer } from '../invoices/payment-methods.js';
import { newDraft } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';
import type { InvoiceDto } from './draft.dto.js';
import { PositionInput } from './position-input.js';

/** Creates a draft by hand. */
@Injectable()
export class CreateInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
  ) {}

  /**
   * @throws DomainError 422 `unknown_reference`, `customer_archived`, `currency_mismatch`, `exchange_rate_missing`,
   * `validation_failed`.
   */
  execute(tenantId: string, dto: InvoiceDto): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const customer = await this.editor.customer(tx, dto.customer);
      const paymentMethodId = dto.paymentMethod ?? null;
      await checkMethodOfCustomer(this.replicas, tx, { customerId: customer.id, methodId: paymentMethodId });
      await this.editor.checkCustomFields(tx, dto.customFields ?? null);
      const invoice = emptyInvoice({
        tenantId,
        id: newUuid(),
        sourceType: 'manual',
        customerId: customer.id,
        currencyCode: dto.currencyCode ?? customer.currencyCode,
        createdAt: tx.now,
        dueAt: dto.dueDate ? new Date(dto.dueDate) : null,
        paymentMethodId,
        customFields: dto.customFields ?? null,
      });
      const positions = await this.input.read(tx, dto.positions ?? [], {
        invoiceId: invoice.id,
        after: 0,
        existing: [],
      });
      return this.editor.create(tx, newDraft(invoice, positions));
    });
  }
}
