import type { Invoice, InvoiceStatus } from '../invoices/invoice.js';

/** A document's intent as payments reports it, at one version. */
export interface IntentView {
  readonly id: string;
  readonly version: number;
  readonly amountMinor: bigint;
  readonly openMinor: bigint;
  readonly status: string;
  readonly waitsForPayer: boolean;
  readonly paymentMethodId: string | null;
  readonly paidAt: Date | null;
}

/** The part of a document that follows its intent. */
export interface IntentProjection {
  readonly status: InvoiceStatus;
  readonly unpaidMinor: bigint;
  readonly payDate: Date | null;
  readonly intentId: string;
  readonly intentVersion: number;
  readonly intentStatus: string;
  readonly waitsForPayer: boolean;
  readonly intentAmountMinor: bigint;
  readonly intentOpenMinor: bigint;
  readonly intentPaymentMethodId: string | null;
}

export type IntentNotice = 'invoice.finalized' | 'invoice.paid' | 'invoice.unpaid' | 'invoice.updated';

/** A change of the document; each is an event. */
export interface IntentStep {
  readonly change: IntentProjection;
  /** Null: webhook receivers get nothing. */
  readonly notice: IntentNotice | null;
}

type Projected = Pick<
  Invoice,
  'status' | 'unpaidMinor' | 'payDate' | 'intentVersion' | 'intentOpenMinor' | 'intentStatus'
>;

/**
 * The steps by which a document follows its intent; none for an older or the same version (events may come twice, late,
 * or after the synchronous answer). A finalizing document is always shown unpaid first, also when credit has already
 * settled it; what was paid follows as a step of its own.
 */
export function applyIntent(invoice: Projected, intent: IntentView, now: Date): IntentStep[] {
  if (intent.version <= invoice.intentVersion) return [];
  if (invoice.status !== 'STATUS_FINALIZING') {
    const step = follow(invoice, intent, now);
    return step ? [step] : [];
  }
  const opened: IntentProjection = {
    ...projection(intent, 'STATUS_UNPAID', null),
    unpaidMinor: intent.amountMinor,
    intentOpenMinor: intent.amountMinor,
    intentStatus: 'open',
  };
  const paid = isSettled(intent) || intent.openMinor !== intent.amountMinor ? follow(opened, intent, now) : null;
  const first: IntentStep = {
    notice: 'invoice.finalized',
    change: paid ? opened : { ...opened, intentStatus: intent.status },
  };
  return paid ? [first, paid] : [first];
}

function follow(invoice: Projected, intent: IntentView, now: Date): IntentStep | null {
  if (isEnded(invoice)) return { change: endedProjection(invoice, intent), notice: null };
  const settled = isSettled(intent);
  if (invoice.status === 'STATUS_UNPAID' && settled) {
    return { change: projection(intent, 'STATUS_PAID', intent.paidAt ?? now), notice: 'invoice.paid' };
  }
  // Of a refunded invoice, too: its payer has the money twice when the payment goes back.
  if ((invoice.status === 'STATUS_PAID' || invoice.status === 'STATUS_REFUNDED') && !settled)
    return { change: projection(intent, 'STATUS_UNPAID', null), notice: 'invoice.unpaid' };
  const paidOtherwise = intent.openMinor !== invoice.intentOpenMinor;
  return {
    change: projection(intent, invoice.status, invoice.payDate),
    notice: paidOtherwise ? 'invoice.updated' : null,
  };
}

/** Cancelled and closed documents are paid no more, whatever still happens to their money. */
const isEnded = ({ status }: Projected): boolean => status === 'STATUS_CANCELLED' || status === 'STATUS_CLOSED';

/** Nothing of them is open, also before payments has heard of it; afterwards only what money that returned leaves open. */
const endedProjection = (invoice: Projected, intent: IntentView): IntentProjection => ({
  ...projection(intent, invoice.status, invoice.payDate),
  unpaidMinor: intent.status === 'cancelled' ? intent.openMinor : 0n,
});

/** Nothing is left in the direction of the intent; an excess counts as settled. */
const isSettled = (intent: IntentView): boolean =>
  intent.amountMinor < 0n ? intent.openMinor >= 0n : intent.openMinor <= 0n;

const projection = (intent: IntentView, status: InvoiceStatus, payDate: Date | null): IntentProjection => ({
  status,
  unpaidMinor: intent.openMinor,
  payDate,
  intentId: intent.id,
  intentVersion: intent.version,
  intentStatus: intent.status,
  waitsForPayer: intent.waitsForPayer,
  intentAmountMinor: intent.amountMinor,
  intentOpenMinor: intent.openMinor,
  intentPaymentMethodId: intent.paymentMethodId,
});
