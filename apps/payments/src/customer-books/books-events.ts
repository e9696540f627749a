import type { IntentState, Notice, PayloadOf, WalletState } from '@kontor/contracts';
import { intentChangedV1, walletChangedV1 } from '@kontor/contracts';
import type { NewEvent } from '@kontor/messaging';
import { money, toMoneyJson } from '@kontor/money';
import type { Books, IntentNotice } from '../domain/customer-books/books.js';
import { type Intent, waitsForPayer } from '../domain/customer-books/intent.js';
import type { Wallet, WalletTransaction } from '../domain/customer-books/wallet.js';
import type { NotifiedPayment } from './reactions.js';
import { representBalance } from './represent-balance.js';

/** When a failed collection is tried again by itself. */
export const nextRetryAt = (intent: Intent): string | null =>
  intent.status === 'failed' ? (intent.nextRetryAt?.toISOString() ?? null) : null;

/** What other services see of an intent. */
export const intentState = (intent: Intent): IntentState => ({
  id: intent.id,
  invoiceId: intent.invoiceId,
  topUpId: intent.topUpId,
  customerId: intent.customerId,
  amount: toMoneyJson(money(intent.amountMinor, intent.currencyCode)),
  openAmount: toMoneyJson(money(intent.openMinor, intent.currencyCode)),
  creditAppliedAmount: toMoneyJson(money(intent.creditAppliedMinor, intent.currencyCode)),
  status: intent.status,
  waitsForPayer: waitsForPayer(intent),
  paymentMethodId: intent.paymentMethodId,
  paidAt: intent.paidAt?.toISOString() ?? null,
  failReason: intent.failReason,
});

type IntentEvent = NewEvent<PayloadOf<typeof intentChangedV1>>;

const intentEvent = (intent: Intent, notices: Notice[]): IntentEvent => ({
  aggregateId: intent.id,
  aggregateSeq: intent.version,
  payload: { id: intent.id, version: intent.version, deleted: false, state: intentState(intent), notices },
});

/**
 * The events of a decision; it counts the intents' versions up. An intent that is opened and at once paid by credit (or
 * met by a credit note) publishes both, first as it was opened: the document is unpaid before it is paid. `payments`
 * are those that the notices carry, by id.
 */
export function intentEvents(books: Books, payments: ReadonlyMap<string, NotifiedPayment>): IntentEvent[] {
  const events: IntentEvent[] = [];
  for (const intent of books.opened) {
    intent.version = 1;
    const notices = noticesOf(books, intent, payments);
    if (intent.openMinor === intent.amountMinor) {
      events.push(intentEvent(intent, notices));
      continue;
    }
    events.push(
      intentEvent(
        { ...intent, openMinor: intent.amountMinor, creditAppliedMinor: 0n, status: 'open', paidAt: null },
        [],
      ),
    );
    intent.version = 2;
    events.push(intentEvent(intent, notices));
  }
  for (const intent of books.changedIntents) {
    intent.version += 1;
    events.push(intentEvent(intent, noticesOf(books, intent, payments)));
  }
  return events;
}

const noticesOf = (books: Books, intent: Intent, payments: ReadonlyMap<string, NotifiedPayment>): Notice[] =>
  // The start of a top-up's payment is no story about an invoice.
  (books.notices.get(intent) ?? [])
    .filter(({ type }) => intent.topUpId === null || type !== 'invoice.payment.initiated')
    .map((notice) => noticeOf(books, intent, notice, payments.get(notice.transactionId)));

function noticeOf(
  books: Books,
  intent: Intent,
  { type, transactionId }: IntentNotice,
  payment: NotifiedPayment | undefined,
): Notice {
  const transaction = books.transactions.get(transactionId);
  const amount = transaction && toMoneyJson(money(transaction.amountMinor, transaction.currencyCode));
  return {
    type,
    objectId: transactionId,
    data: type === 'invoice.payment.initiated' ? null : { payment: payment ?? null },
    customerId: intent.customerId,
    activity: {
      metadata: {
        invoiceId: intent.invoiceId,
        transactionId,
        amount,
        gateway: transaction?.gatewayName,
        ...(type === 'payment.failed' && { reason: intent.failReason, nextRetryAt: nextRetryAt(intent) }),
        ...(type === 'payment.retry' && { attempt: intent.attempts }),
      },
    },
  };
}

/** A wallet's new balance; `lines`: how it came to be, of which the log has what somebody gave or deducted. */
export const walletEvents = (
  wallets: readonly Wallet[],
  lines: readonly WalletTransaction[] = [],
): NewEvent<PayloadOf<typeof walletChangedV1>>[] =>
  wallets.map((wallet) => {
    const state: WalletState = {
      id: wallet.id,
      customerId: wallet.customerId,
      balance: toMoneyJson(money(wallet.balanceMinor, wallet.currencyCode)),
    };
    const notice: Notice = {
      type: 'wallet.balance.changed',
      objectId: wallet.id,
      data: { wallet: { id: wallet.id, ...representBalance(wallet) } },
      customerId: wallet.customerId,
      activity: null,
    };
    return {
      aggregateId: wallet.id,
      aggregateSeq: wallet.version,
      payload: {
        id: wallet.id,
        version: wallet.version,
        deleted: false,
        state,
        notices: [notice, ...lines.filter((line) => line.walletId === wallet.id).flatMap(adjustmentNotice)],
      },
    };
  });

function adjustmentNotice({ id, type, walletId, customerId, amountMinor, currencyCode }: WalletTransaction): Notice[] {
  if (type !== 'adjustment') return [];
  const amount = toMoneyJson(money(amountMinor, currencyCode));
  const activity = { metadata: { walletTransactionId: id, amount } };
  return [{ type: 'wallet.adjusted', objectId: walletId, data: null, customerId, activity }];
}
