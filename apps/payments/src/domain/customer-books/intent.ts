/** `failed`: the last collection was declined; the intent is as open as before. */
export type IntentStatus = 'open' | 'processing' | 'succeeded' | 'failed' | 'cancelled';

/** What is to be collected for one document (or, later, a top-up). Amounts are minor units of `currencyCode`. */
export interface Intent {
  readonly id: string;
  readonly invoiceId: string | null;
  readonly topUpId: string | null;
  /** The invoice that is refunded. */
  readonly referencedInvoiceId?: string | null;
  readonly customerId: string;
  /** Number of the document: breaks ties between equal due dates. */
  readonly documentNumber: string;
  readonly documentType: string;
  readonly currencyCode: string;
  /** Negative for credit notes and refunds. Never zero. */
  readonly amountMinor: bigint;
  /** `amountMinor` minus all allocations. Negative by the excess when overpaid with crediting off. */
  openMinor: bigint;
  /** Under way at a gateway; not to be asked for again. */
  pendingMinor: bigint;
  /** Of `pendingMinor`, what no gateway collects before its payer has acted. */
  payerMinor: bigint;
  creditAppliedMinor: bigint;
  status: IntentStatus;
  paymentMethodId: string | null;
  /**
   * The document itself names its method; otherwise it is the customer's default, and follows it when a collection
   * failed.
   */
  methodIsNamed?: boolean | null;
  readonly dueAt: Date;
  paidAt: Date | null;
  failReason: string | null;
  /** Collections that were started since it was last paid or got another method. */
  attempts: number;
  /** The first failure among them: from here the days of the retries are counted. */
  firstFailedAt: Date | null;
  /** When what failed is tried again, on the tenant's clock; means something only while the status is `failed`. */
  nextRetryAt: Date | null;
  version: number;
  readonly createdAt: Date;
}

/** True when nothing is left to be paid, in whichever direction. */
export const isSettled = (intent: Intent): boolean =>
  intent.amountMinor > 0n ? intent.openMinor <= 0n : intent.openMinor >= 0n;

/** Whether money of its customer may be booked on a document: one that has ended is open again where a payment of it went back since. */
export const takesMoney = ({ status, amountMinor, openMinor }: Intent): boolean =>
  status !== 'cancelled' || (amountMinor > 0n && openMinor > 0n);

/** What a credit note or refund owes to the customer and is not about to pay. Never negative. */
export const owedMinor = ({ amountMinor, openMinor, pendingMinor }: Intent): bigint =>
  amountMinor < 0n && -openMinor > pendingMinor ? -openMinor - pendingMinor : 0n;

/** What was paid too much on an invoice and did not become credit: owed to the customer. Never negative. */
export const overpaidMinor = ({ amountMinor, openMinor }: Pick<Intent, 'amountMinor' | 'openMinor'>): bigint =>
  amountMinor > 0n && openMinor < 0n ? -openMinor : 0n;

/** Of a reminder or dunning letter: its fees, which are owed with the invoice that it is about. */
export const isDunningFee = ({ documentType }: Pick<Intent, 'documentType'>): boolean =>
  documentType === 'TYPE_REMINDER' || documentType === 'TYPE_DUNNING';

/** Nothing of it moves until its payer acts: what a reminder is for. */
export const waitsForPayer = ({ pendingMinor, payerMinor }: Intent): boolean =>
  pendingMinor > 0n && payerMinor === pendingMinor;

/** What may still be asked for: the open amount without what is under way. Never negative. */
export const collectableMinor = (intent: Intent): bigint => openBeside(intent, intent.pendingMinor);

/** What is open beside a part that is under way and stays so. Never negative. */
export const openBeside = ({ amountMinor, openMinor, status }: Intent, reservedMinor: bigint): bigint =>
  amountMinor < 0n || status === 'cancelled' || openMinor <= reservedMinor ? 0n : openMinor - reservedMinor;

/** The status that follows from the amounts. */
export function statusOf(intent: Intent): IntentStatus {
  if (intent.status === 'cancelled') return 'cancelled';
  if (isSettled(intent)) return 'succeeded';
  if (intent.pendingMinor > 0n) return 'processing';
  return intent.failReason === null ? 'open' : 'failed';
}

const numeric = new Intl.Collator('en', { numeric: true });

/** Oldest due first, ties by number (RE-9 before RE-10). */
export const oldestDueFirst = (a: Intent, b: Intent): number =>
  a.dueAt.getTime() - b.dueAt.getTime() ||
  numeric.compare(a.documentNumber, b.documentNumber) ||
  (a.id < b.id ? -1 : 1);
