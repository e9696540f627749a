import { Injectable } from '@nestjs/common';
import { DomainError, invalidTransition, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { endOfTerm, localDay } from '../domain/invoices/local-day.js';
import { splitRefund } from '../domain/refunds/split-refund.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { checkParties } from '../finalization/check-parties.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { insertPositions, lockInvoice, positionsOf } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { checkMethodOfCustomer } from '../invoices/payment-methods.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { refundDraft } from './refund-draft.js';
import { readRefundAmount } from './refund.dto.js';

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
    private readonly contexts: InvoiceContexts,
    private readonly finalizeDrafts: FinalizeDrafts,
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
    const amountMinor = await refundableAmount(tx, invoice, request.amount);
    const method = { customerId: invoice.customerId, methodId: request.paymentMethod };
    await checkMethodOfCustomer(this.replicas, tx, method);
    const positions = await positionsOf(tx, invoiceId);
    const context = await this.contexts.load(tx, [{ invoice, positions }]);
    const draft = refundDraft(invoice, splitRefund(amountMinor, positions), request, tx.now);
    draft.customer = context.customers.get(invoice.customerId) ?? null;
    draft.address = invoice.invoiceAddress;
    const obstacle = checkParties(draft, context);
    if (obstacle)
      throw new DomainError(obstacle.reason, {
        detail: 'The refund cannot be given a number: the data of seller or recipient are incomplete.',
      });
    const zone = draft.customer?.timeZone ?? context.tenant.timeZone;
    draft.invoice.dueAt = endOfTerm(localDay(tx.now, zone), 0, zone);
    await insertPositions(tx, draft.positions);
    await this.finalizeDrafts.execute(tx, [draft], context, () => invoiceTable.insert(tx, [draft.invoice]));
    return this.showInvoices.byId(tx, draft.invoice.id);
  }
}

/** What is to be refunded: at most what was paid less earlier refunds. The invoice's row is locked. */
async function refundableAmount(tx: TenantTx, invoice: InvoiceRow, requested: unknown): Promise<bigint> {
  if (invoice.type !== 'TYPE_INVOICE')
    throw new DomainError('invoice_not_refundable', {
      detail: `Only invoices can be refunded; this document is ${invoice.type}.`,
    });
  if (invoice.status === 'STATUS_DRAFT' || invoice.status === 'STATUS_FINALIZING')
    throw invalidTransition('document', invoice.status, 'refund');
  const paidMinor = invoice.grossMinor - invoice.unpaidMinor;
  const [row] = await tx.query<{ refunded: bigint }>(
    `SELECT coalesce(-sum(gross_minor), 0)::bigint AS refunded
     FROM invoice
     WHERE tenant_id = $1 AND referenced_invoice_id = $2
       AND type = 'TYPE_REFUND' AND status <> 'STATUS_CANCELLED'`,
    [tx.tenantId, invoice.id],
  );
  const leftMinor = paidMinor - (row?.refunded ?? 0n);
  const amountMinor = readRefundAmount(requested, invoice.currencyCode) ?? leftMinor;
  if (leftMinor <= 0n)
    throw validationFailed('amount', 'Nothing that was paid is left to be refunded.', 'amount_too_large');
  if (amountMinor <= 0n) throw validationFailed('amount', 'amount must be greater than 0.', 'out_of_range');
  if (amountMinor > leftMinor)
    throw validationFailed('amount', 'amount must not exceed what was paid and not refunded yet.', 'amount_too_large');
  return amountMinor;
}
