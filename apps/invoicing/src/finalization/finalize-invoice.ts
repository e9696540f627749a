import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { mustBeFinalizable } from '../domain/invoices/invoice.js';
import { lockInvoice, positionsOf, updatePositions } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { newDraft } from '../pricing/draft.js';
import { AwaitIntent } from './await-intent.js';
import { FinalizeDrafts } from './finalize-drafts.js';

/** Gives a draft its number and hands it to payments. */
@Injectable()
export class FinalizeInvoice {
  constructor(
    private readonly database: Database,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * @throws DomainError 404; 422 `invalid_status_transition`, `positions_missing`, `seller_data_incomplete`,
   * `invoice_address_incomplete`, `exchange_rate_missing`, `tax_rate_missing`.
   */
  async execute(tenantId: string, id: string, dueAt: Date | null): Promise<InvoiceJson> {
    const finalized = await this.database.tenant(tenantId, (tx) => this.finalize(tx, id, dueAt));
    return this.awaitIntent.execute(tenantId, finalized);
  }

  private async finalize(tx: TenantTx, id: string, dueAt: Date | null): Promise<InvoiceJson> {
    const invoice = await lockInvoice(tx, id);
    mustBeFinalizable(invoice);
    const draft = newDraft(invoice, await positionsOf(tx, id));
    if (draft.positions.length === 0)
      throw new DomainError('positions_missing', { detail: 'A document needs at least one position.' });
    const context = await this.finalizeDrafts.prepare(tx, [draft]);
    if (draft.obstacle) throw draft.obstacle.error;
    if (dueAt) invoice.dueAt = dueAt;
    await updatePositions(tx, draft.positions);
    await this.finalizeDrafts.execute(tx, [draft], context);
    return this.showInvoices.byId(tx, id);
  }
}
