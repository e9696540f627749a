import type { Books } from '../customer-books/books.js';
import { NO_TRIES } from '../collections/collection-retries.js';
import { startCollection } from '../collections/collections.js';
import type { Intent } from '../customer-books/intent.js';
import type { ChargeableMethod } from '../payment-methods/payment-method.js';

export type TopUpStatus = 'pending' | 'completed' | 'failed';

/** Money that is fetched (or waited for) to become credit. Amounts are minor units. */
export interface TopUp {
  readonly id: string;
  readonly intentId: string | null;
  readonly customerId: string;
  readonly currencyCode: string;
  readonly requestedMinor: bigint;
  /** Null until credited. */
  creditedMinor: bigint | null;
  status: TopUpStatus;
  readonly paymentMethodId: string | null;
  failReason: string | null;
  /** What a transfer should name. */
  readonly reference: string;
  /** The rule that started it; null when somebody asked for it. */
  readonly ruleId: string | null;
  completedAt: Date | null;
  version: number;
  readonly createdAt: Date;
}

/** Starts a top-up when a balance falls below a threshold; one per customer and currency. Amounts are minor units. */
export interface AutoTopUpRule {
  readonly id: string;
  readonly customerId: string;
  readonly currencyCode: string;
  thresholdMinor: bigint;
  topUpMinor: bigint;
  /** Null: the customer's default method. */
  paymentMethodId: string | null;
  enabled: boolean;
  consecutiveFailures: number;
  version: number;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** After so many failures in a row a rule is switched off: somebody has to look at the payment method. */
export const FAILURES_UNTIL_DISABLED = 5;

/** The intent that collects a top-up. Nothing is owed for it: it makes no receivable, and a decline ends it. */
export function openTopUp(
  books: Books,
  topUp: Pick<TopUp, 'id' | 'customerId' | 'currencyCode' | 'requestedMinor' | 'reference'>,
  method: ChargeableMethod,
  collectionId: string,
): Intent {
  const intent = books.open({
    id: books.newId(),
    invoiceId: null,
    topUpId: topUp.id,
    referencedInvoiceId: null,
    customerId: topUp.customerId,
    documentNumber: topUp.reference,
    documentType: 'TOP_UP',
    currencyCode: topUp.currencyCode,
    amountMinor: topUp.requestedMinor,
    openMinor: topUp.requestedMinor,
    pendingMinor: 0n,
    payerMinor: 0n,
    creditAppliedMinor: 0n,
    status: 'open',
    paymentMethodId: method.id,
    dueAt: books.now,
    paidAt: null,
    failReason: null,
    version: 0,
    createdAt: books.now,
    ...NO_TRIES,
  });
  startCollection(books, intent, method, collectionId);
  return intent;
}

/**
 * What became of a top-up follows from its intent. Money that arrives after a failure completes it all the same; money
 * that goes back later leaves it completed, its credit is gone. Returns whether anything changed.
 */
export function followIntent(
  topUp: TopUp,
  intent: Pick<Intent, 'status' | 'failReason' | 'amountMinor' | 'openMinor'>,
  now: Date,
): boolean {
  if (topUp.status === 'completed') return false;
  if (intent.status === 'succeeded') {
    Object.assign(topUp, {
      status: 'completed',
      creditedMinor: intent.amountMinor - intent.openMinor,
      failReason: null,
      completedAt: now,
    });
    return true;
  }
  if (topUp.status === 'failed' || intent.status !== 'failed') return false;
  Object.assign(topUp, { status: 'failed', failReason: intent.failReason });
  return true;
}

/** A rule learns how its top-up ended. Returns true when this switches it off. */
export function learn(rule: AutoTopUpRule, topUp: Pick<TopUp, 'status'>, now: Date): boolean {
  rule.consecutiveFailures = topUp.status === 'completed' ? 0 : rule.consecutiveFailures + 1;
  rule.updatedAt = now;
  if (!rule.enabled || rule.consecutiveFailures < FAILURES_UNTIL_DISABLED) return false;
  rule.enabled = false;
  return true;
}

/** Customers' wallets of which something was used, with what is left. Top-ups, also those that go back, never count. */
export function reducedWallets(books: Books): { customerId: string; currencyCode: string; balanceMinor: bigint }[] {
  const ids = new Set(
    books.walletTransactions
      .filter((line) => line.amountMinor < 0n && line.type !== 'top_up')
      .map((line) => line.walletId),
  );
  return [...books.wallets.values()].filter((wallet) => ids.has(wallet.id));
}
