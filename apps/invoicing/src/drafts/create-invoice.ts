import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import {
  Database,
  type PartResult,
  Replicas,
  settledInTurn,
  SharedTransactions,
  type TenantTx,
} from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { emptyInvoice } from '../invoices/new-rows.js';
import { checkMethodOfCustomer } from '../invoices/payment-methods.js';
import { type Draft, newDraft } from '../pricing/draft.js';
import { eInvoiceInput } from './e-invoice-input.js';
import { DraftEditor } from './draft-editor.js';
import type { InvoiceDto } from './draft.dto.js';
import { PositionInput } from './position-input.js';

/**
 * Creates a draft by hand. Drafts of one caller that come at the same time share a transaction; each is answered and refused by
 * itself.
 */
@Injectable()
export class CreateInvoice {
  private readonly shared: SharedTransactions<InvoiceDto, InvoiceJson>;

  constructor(
    database: Database,
    private readonly replicas: Replicas,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
  ) {
    this.shared = new SharedTransactions(database, (tx, dtos) => this.create(tx, dtos));
  }

  /**
   * @throws DomainError 422 `unknown_reference`, `customer_archived`, `currency_mismatch`, `exchange_rate_missing`,
   * `validation_failed`.
   */
  execute(tenantId: string, dto: InvoiceDto): Promise<InvoiceJson> {
    return this.shared.run(tenantId, requestContext()?.principal?.subjectId ?? '', dto);
  }

  private async create(tx: TenantTx, dtos: readonly InvoiceDto[]): Promise<PartResult<InvoiceJson>[]> {
    const customerOf = await this.editor.customers(
      tx,
      dtos.map((dto) => dto.customer),
    );
    return this.editor.createMany(
      tx,
      await settledInTurn(dtos, (dto) => this.draft(tx, dto, customerOf(dto.customer))),
    );
  }

  private async draft(tx: TenantTx, dto: InvoiceDto, customer: CustomerState): Promise<Draft> {
    const paymentMethodId = dto.paymentMethod ?? null;
    await checkMethodOfCustomer(this.replicas, tx, { customerId: customer.id, methodId: paymentMethodId });
    await this.editor.checkCustomFields(tx, dto.customFields ?? null);
    const invoice = emptyInvoice({
      tenantId: tx.tenantId,
      id: newUuid(),
      sourceType: 'manual',
      customerId: customer.id,
      currencyCode: dto.currencyCode ?? customer.currencyCode,
      createdAt: tx.now,
      dueAt: dto.dueDate ? new Date(dto.dueDate) : null,
      paymentMethodId,
      customFields: dto.customFields ?? null,
      ...eInvoiceInput(dto),
    });
    const place = { invoiceId: invoice.id, after: 0, existing: [] };
    return newDraft(invoice, await this.input.read(tx, dto.positions ?? [], place));
  }
}
