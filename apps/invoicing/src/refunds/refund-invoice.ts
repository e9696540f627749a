import { Injectable } from '@nestjs/common';
import { DomainError, invalidTransition, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import { grossOf, type Rest } from '../domain/corrections/rest.js';
import { splitRefund } from '../domain/refunds/split-refund.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { FinalizeKin } from '../finalization/finalize-kin.js';
import { readAmount } from '../invoices/read-amount.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { checkMethodOfCustomer } from '../invoices/payment-methods.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { loadRest } from '../pricing/load-rest.js';
import { loadTakenBack, NOTHING_TAKEN } from './load-taken-back.js';
import { refundDraft } from './refund-draft.js';

export interface RefundRequest {
  /** As sent: it is read once the currency is known. */
  readonly amount: unknown;
  readonly paymentMethod: string | null;
  readonly reason: string | null;
}

/**
 * Refunds a paid invoice: by a document of its own, with a number, a file and an intent of negative amount, which
 * payments pays out. Refunds of one invoice are decided one after the other, so together they never exceed what was
 * paid.
 */
@Injectable()
export class RefundInvoice {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly finalizeKin: FinalizeKin,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * Answers the refund document.
   * @throws DomainError 404; 422 `invalid_status_transition`, `invoice_not_refundable`, `validation_failed` (amount),
   * `currency_mismatch`, `unknown_reference` (paymentMethod), `seller_data_incomplete`.
   */
  async execute(tenantId: string, invoiceId: string, request: RefundRequest): Promise<InvoiceJson> {
    const refund = await this.database.tenant(tenantId, (tx) => this.refund(tx, invoiceId, request));
    return this.awaitIntent.execute(tenantId, refund);
  }

  private async refund(tx: TenantTx, invoiceId: string, request: RefundRequest): Promise<InvoiceJson> {
    const invoice = await lockInvoice(tx, invoiceId);
    const { positions, rests } = await loadRest(tx, invoiceId);
    const amountMinor = await refundableAmount(tx, invoice, rests, request.amount);
    const method = { customerId: invoice.customerId, methodId: request.paymentMethod };
    await checkMethodOfCustomer(this.replicas, tx, method);
    const left = rests.map((rest) => ({ ...rest.position, taxMinor: rest.taxMinor, grossMinor: grossOf(rest) }));
    const draft = refundDraft(invoice, splitRefund(amountMinor, left), request, tx.now);
    await this.finalizeKin.execute(tx, draft, { invoice, positions });
    return this.showInvoices.byId(tx, draft.invoice.id);
  }
}

const REFUNDABLE: readonly InvoiceRow['status'][] = ['STATUS_UNPAID', 'STATUS_PAID', 'STATUS_REFUNDED'];

/**
 * What is to be refunded: at most what was paid and not credited or refunded since, whichever document credits it. The
 * invoice's row is locked.
 */
async function refundableAmount(
  tx: TenantTx,
  invoice: InvoiceRow,
  rests: readonly Rest[],
  requested: unknown,
): Promise<bigint> {
  if (invoice.type !== 'TYPE_INVOICE')
    throw new DomainError('invoice_not_refundable', {
      detail: `Only invoices can be refunded; this document is ${invoice.type}.`,
    });
  if (!REFUNDABLE.includes(invoice.status)) throw invalidTransition('document', invoice.status, 'refund');
  const { creditedMinor, refundedMinor } = (await loadTakenBack(tx, [invoice])).get(invoice.id) ?? NOTHING_TAKEN;
  const paidMinor = invoice.grossMinor - creditedMinor - refundedMinor - invoice.unpaidMinor;
  const restMinor = rests.reduce((sum, rest) => sum + grossOf(rest), 0n);
  const leftMinor = paidMinor < restMinor ? paidMinor : restMinor;
  const amountMinor = readAmount(requested, 'amount', invoice.currencyCode) ?? leftMinor;
  if (leftMinor <= 0n)
    throw validationFailed('amount', 'Nothing that was paid is left to be refunded.', 'amount_too_large');
  if (amountMinor <= 0n) throw validationFailed('amount', 'amount must be greater than 0.', 'out_of_range');
  if (amountMinor > leftMinor)
    throw validationFailed('amount', 'amount must not exceed what was paid and not refunded yet.', 'amount_too_large');
  return amountMinor;
}
