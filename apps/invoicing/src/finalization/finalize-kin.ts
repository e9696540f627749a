import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { endOfTerm, localDay } from '../domain/invoices/local-day.js';
import { insertPositions } from '../invoices/invoice-rows.js';
import type { Draft } from '../pricing/draft.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { checkEInvoice } from './check-e-invoice.js';
import { checkParties } from './check-parties.js';
import { FinalizeDrafts } from './finalize-drafts.js';
import { findVatIds } from './name-billed-vat-ids.js';

/**
 * Finalizes a document about an earlier one (a refund, a credit note, a cancellation), whose amounts follow from that
 * one: to the same address and VAT id, due at once.
 */
@Injectable()
export class FinalizeKin {
  constructor(
    private readonly contexts: InvoiceContexts,
    private readonly finalizeDrafts: FinalizeDrafts,
  ) {}

  /** @throws DomainError 422 `customer_missing`, `seller_data_incomplete`, `invoice_address_incomplete`,
   * `e_invoice_invalid`. */
  async execute(
    tx: TenantTx,
    draft: Draft,
    original: { readonly invoice: InvoiceRow; readonly positions: readonly PositionRow[] },
  ): Promise<void> {
    const context = await this.contexts.load(tx, [original]);
    draft.customer = context.customers.get(original.invoice.customerId) ?? null;
    draft.address = original.invoice.invoiceAddress;
    const obstacle = checkParties(draft, context);
    if (obstacle)
      throw new DomainError(obstacle.reason, {
        detail: 'The document cannot be given a number: the data of seller or recipient are incomplete.',
      });
    const zone = draft.customer?.timeZone ?? context.tenant.timeZone;
    draft.invoice.dueAt = endOfTerm(localDay(tx.now, zone), 0, zone);
    draft.referenced = [original.invoice];
    draft.billedVatId = (await findVatIds(tx, [original.invoice.id])).get(original.invoice.id) ?? null;
    const refused = checkEInvoice(draft, context);
    if (refused) throw refused.error;
    await insertPositions(tx, draft.positions);
    await this.finalizeDrafts.execute(tx, [draft], context, () => invoiceTable.insert(tx, [draft.invoice]));
  }
}
