import { Injectable } from '@nestjs/common';
import { DomainError, invalidTransition, newUuid, validationFailed } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import { Database, type TenantTx } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { endOfTerm, localDay } from '../domain/local-day.js';
import { splitRefund, type RefundShare } from '../domain/split-refund.js';
import { finalizationObstacle } from '../finalization/finalize-drafts.js';
import { FinalizeExisting } from '../finalization/finalize-existing.js';
import { StatusSignal } from '../finalization/status-signal.js';
import { DraftEditor } from '../invoices/draft-editor.js';
import { InvoiceReader } from '../invoices/invoice.read.js';
import { InvoiceWorlds } from '../invoices/invoice-world.js';
import { type Draft, newDraft } from '../invoices/price-draft.js';
import type { InvoiceJson } from '../invoices/represent-invoice.js';
import { emptyInvoice, insertInvoices, insertPositions, unpricedPosition } from '../invoices/save-drafts.js';
import { readRefundAmount } from './refund.dto.js';

/** How long an answer waits for the payment intent. */
const WAIT_MS = 5000;

export interface RefundWish {
  /** As sent: it is read once the currency is known. */
  readonly amount: unknown;
  readonly paymentMethod: string | null;
  readonly reason: string | null;
}

/**
 * Gives money of a paid invoice back: a document of its own, with a number, a file and an intent of negative amount,
 * which payments sends back. Refunds of one invoice are decided one after the other, so together they never exceed
 * what was paid.
 */
@Injectable()
export class RefundInvoice {
  constructor(
    private readonly database: Database,
    private readonly reader: InvoiceReader,
    private readonly worlds: InvoiceWorlds,
    private readonly editor: DraftEditor,
    private readonly finalizeExisting: FinalizeExisting,
    private readonly signal: StatusSignal,
  ) {}

  /**
   * Answers the refund document, as soon as its intent exists, after 5 s in any case.
   * @throws DomainError 404; 422 `invalid_status_transition`, `invoice_not_refundable`, `validation_failed` (amount), `currency_mismatch`,
   * `unknown_reference` (paymentMethod), `seller_data_incomplete`.
   */
  async execute(tenantId: string, invoiceId: string, wish: RefundWish): Promise<InvoiceJson> {
    const made = await this.database.tenant(tenantId, (tx) => this.make(tx, invoiceId, wish));
    const opened = await this.signal.until(made.id, WAIT_MS, async () => {
      const now = await this.database.tenant(tenantId, (tx) => this.reader.one(tx, made.id), { readOnly: true });
      return now.status === 'STATUS_FINALIZING' ? null : now;
    });
    return opened ?? made;
  }

  private async make(tx: TenantTx, invoiceId: string, wish: RefundWish): Promise<InvoiceJson> {
    const invoice = await this.reader.row(tx, invoiceId, true);
    const amountMinor = await this.amountOf(tx, invoice, wish.amount);
    await this.editor.mustOwnMethod(tx, invoice.customerId, wish.paymentMethod);
    const positions = (await this.reader.positions(tx, [invoiceId])).get(invoiceId) ?? [];
    const world = await this.worlds.load(tx, {
      customerIds: [invoice.customerId],
      taxGroupIds: positions.map((position) => position.taxGroupId),
      currencies: [invoice.currencyCode],
    });
    const draft = draftOf(invoice, splitRefund(amountMinor, positions), wish, tx.now);
    draft.customer = world.customers.get(invoice.customerId) ?? null;
    draft.address = invoice.invoiceAddress;
    const obstacle = finalizationObstacle(draft, world);
    if (obstacle)
      throw new DomainError(obstacle, { detail: 'The refund cannot be given a number: the data of seller or recipient are incomplete.' });
    const zone = draft.customer?.timeZone ?? world.tenant.timeZone;
    draft.invoice.dueAt = endOfTerm(localDay(tx.now, zone), 0, zone);
    await insertInvoices(tx, [draft.invoice]);
    await insertPositions(tx, draft.positions);
    await this.finalizeExisting.execute(tx, [draft], world);
    return this.reader.one(tx, draft.invoice.id);
  }

  /** What may go back: what was paid, less what was given back or is about to be. The invoice's row is locked. */
  private async amountOf(tx: TenantTx, invoice: InvoiceRow, wanted: unknown): Promise<bigint> {
    if (invoice.type !== 'TYPE_INVOICE')
      throw new DomainError('invoice_not_refundable', { detail: `Only invoices can be refunded; this document is ${invoice.type}.` });
    if (invoice.status === 'STATUS_DRAFT' || invoice.status === 'STATUS_FINALIZING')
      throw invalidTransition('document', invoice.status, 'refund');
    const paidMinor = invoice.grossMinor - invoice.unpaidMinor;
    const [row] = await tx.query<{ refunded: bigint }>(
      `select coalesce(-sum(gross_minor), 0)::bigint as refunded from invoice
       where tenant_id = $1 and referenced_invoice_id = $2 and type = 'TYPE_REFUND' and status <> 'STATUS_CANCELLED'`,
      [tx.tenantId, invoice.id],
    );
    const leftMinor = paidMinor - (row?.refunded ?? 0n);
    const amountMinor = readRefundAmount(wanted, invoice.currencyCode) ?? leftMinor;
    if (leftMinor <= 0n) throw validationFailed('amount', 'Nothing that was paid is left to be refunded.', 'amount_too_large');
    if (amountMinor <= 0n) throw validationFailed('amount', 'The amount must be greater than 0.', 'out_of_range');
    if (amountMinor > leftMinor)
      throw validationFailed('amount', 'The amount is larger than what was paid and not refunded yet.', 'amount_too_large');
    return amountMinor;
  }
}

const NAMES = { de: 'Erstattung zu Rechnung', en: 'Refund of invoice' } as const;

function draftOf(invoice: InvoiceRow, shares: readonly RefundShare[], wish: RefundWish, now: Date): Draft {
  const id = newUuid();
  const netMinor = shares.reduce((sum, share) => sum - share.netMinor, 0n);
  const taxMinor = shares.reduce((sum, share) => sum - share.taxMinor, 0n);
  const { tenantId, customerId, currencyCode, language, invoiceAddressId } = invoice;
  const document = emptyInvoice({
    tenantId, id, customerId, currencyCode, language, invoiceAddressId, sourceType: 'manual', createdAt: now, type: 'TYPE_REFUND', referencedInvoiceId: invoice.id,
    paymentMethodId: wish.paymentMethod, internalNote: wish.reason, netMinor, taxMinor, grossMinor: netMinor + taxMinor,
  }); // prettier-ignore
  const draft = newDraft(document, shares.map((share, index) => positionOf(document, invoice, share, { ordinal: index + 1, reason: wish.reason }))); // prettier-ignore
  draft.taxes = shares.map(({ like, netMinor: base, taxMinor: tax }) => ({
    category: like.taxCategory ?? 'S',
    rate: like.taxRate,
    noteKey: like.taxNoteKey,
    baseMinor: -base,
    taxMinor: -tax,
  }));
  draft.referenced = {
    type: invoice.type,
    number: invoice.number ?? '',
    issueDate: localDay(invoice.finalizedAt ?? now, 'Europe/Berlin'),
  };
  return draft;
}

function positionOf(
  document: InvoiceRow,
  invoice: InvoiceRow,
  { like, netMinor, taxMinor }: RefundShare,
  { ordinal, reason }: { ordinal: number; reason: string | null },
): PositionRow {
  const plain = unpricedPosition(document.tenantId, {
    id: newUuid(), invoiceId: document.id, ordinal, parentId: null, groupId: null, groupName: null, groupRanking: null, type: 'invoice',
    name: `${NAMES[document.language]} ${invoice.number}`, description: reason, quantity: '-1', unitId: null, unitName: null, priceAmount: netMinor,
    pricePrecision: exponentOf(document.currencyCode), priceCurrencyCode: document.currencyCode, ratedNetMinor: null, ratedDiscountMinor: null,
    discountPercentage: null, discountFixedMinor: null, taxGroupId: like.taxGroupId, isGood: like.isGood, product: null, subscriptionItem: null,
    subscription: null, chargeId: null, serviceFrom: null, serviceLast: null, createdAt: document.createdAt,
  }); // prettier-ignore
  const { taxCategory, taxRate, taxNoteKey, tax } = like;
  return Object.assign(plain, {
    netMinor: -netMinor,
    taxMinor: -taxMinor,
    grossMinor: -netMinor - taxMinor,
    taxCategory,
    taxRate,
    taxNoteKey,
    tax,
  });
}
