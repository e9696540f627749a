import { Injectable } from '@nestjs/common';
import { validationFailed } from '@kontor/kernel';
import { decimal } from '@kontor/money';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { invoiceTable, type InvoiceRow } from '../db/invoice.row.js';
import { chooseParts, type WantedPart } from '../domain/corrections/choose-parts.js';
import { mustAllow } from '../domain/corrections/transitions.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { FinalizeKin } from '../finalization/finalize-kin.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { readAmount } from '../invoices/read-amount.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { correctionDraft, type CorrectionRequest } from './correction-draft.js';
import type { CreditedPositionDto } from './correction.dto.js';
import { loadRest } from '../pricing/load-rest.js';
import { checkDisposition } from './wallet-feature.js';

export interface CreditRequest extends Omit<CorrectionRequest, 'type'> {
  /** Null: all that is left. */
  readonly positions: readonly CreditedPositionDto[] | null;
}

/**
 * Credits an invoice, all of it or parts of positions. Credits of one invoice are decided one after the other under its
 * lock, so together they never take more of a position than it has.
 */
@Injectable()
export class CreditInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly finalizeKin: FinalizeKin,
    private readonly recordChanges: RecordChanges,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * Answers the credit note.
   * @throws DomainError 404; 403 `feature_not_enabled`; 422 `invalid_document_type`, `invalid_status_transition`,
   * `credit_exceeds_rest`, `unknown_reference`, `currency_mismatch`, `validation_failed`, `seller_data_incomplete`.
   */
  async execute(tenantId: string, id: string, request: CreditRequest): Promise<InvoiceJson> {
    const note = await this.database.tenant(tenantId, (tx) => this.credit(tx, id, request));
    return this.awaitIntent.execute(tenantId, note);
  }

  private async credit(tx: TenantTx, id: string, request: CreditRequest): Promise<InvoiceJson> {
    const invoice = await lockInvoice(tx, id);
    mustAllow('credit', invoice);
    await checkDisposition(this.replicas, tx, request.disposition);
    const { positions, rests } = await loadRest(tx, id);
    const wanted = request.positions && wantedParts(request.positions, invoice);
    const taken = chooseParts(rests, wanted, invoice.currencyCode);
    const draft = correctionDraft(invoice, taken, { ...request, type: 'TYPE_CREDIT' }, tx.now);
    mustCredit(draft.invoice);
    await this.finalizeKin.execute(tx, draft, { invoice, positions });
    invoice.version += 1;
    await invoiceTable.update(tx, [invoice], ['version']);
    await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.credited'] }], {
      positions: new Map([[id, positions]]),
    });
    return this.showInvoices.byId(tx, draft.invoice.id);
  }
}

const wantedParts = (positions: readonly CreditedPositionDto[], { currencyCode }: InvoiceRow): WantedPart[] =>
  positions.map(({ id, quantity, amount }, index) => ({
    id,
    quantity: quantity === undefined || quantity === null ? null : decimal(quantity),
    netMinor: readAmount(amount, `positions[${index}].amount`, currencyCode),
  }));

/** @throws DomainError `validation_failed` for lines (of discounts alone) that would raise what the customer owes. */
function mustCredit({ grossMinor }: InvoiceRow): void {
  if (grossMinor >= 0n)
    throw validationFailed('positions', 'These positions together credit nothing.', 'nothing_credited');
}
