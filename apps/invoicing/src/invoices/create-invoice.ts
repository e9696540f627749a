import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { DraftEditor } from './draft-editor.js';
import type { InvoiceDto } from './invoice.dto.js';
import { PositionInput } from './position-input.js';
import { newDraft } from './price-draft.js';
import type { InvoiceJson } from './represent-invoice.js';
import { emptyInvoice } from './save-drafts.js';

/** Creates a draft by hand. */
@Injectable()
export class CreateInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
  ) {}

  /** @throws DomainError 422 `unknown_reference`, `customer_archived`, `currency_mismatch`, `exchange_rate_missing`, `validation_failed`. */
  execute(tenantId: string, dto: InvoiceDto): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const customer = await this.editor.customer(tx, dto.customer);
      const paymentMethodId = dto.paymentMethod ?? null;
      await this.editor.mustOwnMethod(tx, customer.id, paymentMethodId);
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
      const positions = await this.input.read(tx, dto.positions ?? [], { invoiceId: invoice.id, after: 0, existing: [] });
      return this.editor.create(tx, newDraft(invoice, positions));
    });
  }
}
