import { Injectable } from '@nestjs/common';
import { DomainError, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { chooseAll } from '../domain/corrections/choose-parts.js';
import { NOT_DUNNED } from '../domain/dunning/dunning-document.js';
import { mustAllow, mustStand } from '../domain/corrections/transitions.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { FinalizeKin } from '../finalization/finalize-kin.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { EndDunning } from '../dunning/end-dunning.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { correctionDraft, type CorrectionRequest } from './correction-draft.js';
import { lockWithCredited } from './lock-credited.js';
import { mustNotBeCountedOn } from './must-not-be-counted-on.js';
import { loadRest } from '../pricing/load-rest.js';
import { checkDisposition } from './wallet-feature.js';

/**
 * Cancels an invoice, or a credit note, by a document that takes back, line by line, what no credit note or refund has taken back before:
 * together they are zero. Payments learns it from the document: it stops collecting, gives used credit back, and what
 * was paid in money becomes the customer's.
 */
@Injectable()
export class CancelInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly finalizeKin: FinalizeKin,
    private readonly recordChanges: RecordChanges,
    private readonly endDunning: EndDunning,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * Answers the cancellation document.
   * @throws DomainError 404; 403 `feature_not_enabled`; 422 `invalid_document_type`, `invalid_status_transition`,
   * `charge_credited`, `credit_exceeds_rest` (nothing is left), `seller_data_incomplete`, `validation_failed` (a disposition of a credit note).
   */
  async execute(tenantId: string, id: string, request: Omit<CorrectionRequest, 'type'>): Promise<InvoiceJson> {
    const document = await this.database.tenant(tenantId, (tx) => this.cancel(tx, id, request));
    return this.awaitIntent.execute(tenantId, document);
  }

  private async cancel(tx: TenantTx, id: string, request: Omit<CorrectionRequest, 'type'>): Promise<InvoiceJson> {
    const { document: invoice, credited } = await lockWithCredited(tx, id);
    mustAllow('cancel', invoice);
    mustStand(credited);
    await mustNotBeCountedOn(tx, id);
    if (invoice.type === 'TYPE_CREDIT' && request.disposition !== null)
      throw validationFailed(
        'disposition',
        'A credit note was not paid: there is no money to go anywhere.',
        'not_allowed',
      );
    await checkDisposition(this.replicas, tx, request.disposition);
    const { positions, rests } = await loadRest(tx, id);
    await this.endDunning.cancelOf(tx, id);
    const taken = chooseAll(rests, invoice.currencyCode);
    const draft = correctionDraft(invoice, taken, { ...request, type: 'TYPE_CANCEL' }, tx.now);
    if (draft.invoice.grossMinor === 0n && invoice.grossMinor !== 0n) throw nothingLeft();
    await this.finalizeKin.execute(tx, draft, { invoice, positions });
    Object.assign(invoice, {
      status: 'STATUS_CANCELLED',
      cancellationId: draft.invoice.id,
      reason: request.reason,
      unpaidMinor: 0n,
      ...NOT_DUNNED,
      version: invoice.version + 1,
    });
    await invoiceTable.update(tx, [invoice]);
    await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.canceled'] }], {
      positions: new Map([[id, positions]]),
    });
    return this.showInvoices.byId(tx, draft.invoice.id);
  }
}

/** What it charges was credited up to what it credits itself: a document of 0 would end nothing of what is open by those. */
function nothingLeft(): DomainError {
  return new DomainError('credit_exceeds_rest', {
    detail:
      'What is left of its charges comes to what it credits itself: nothing of it is left. Cancel its credit notes first.',
  });
}
