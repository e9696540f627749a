import type { IntentState, Notice, PaymentMethodState, PayloadOf, WalletState } from '@kontor/contracts';
import { intentChangedV1, paymentMethodChangedV1, walletChangedV1 } from '@kontor/contracts';
import type { NewEvent } from '@kontor/messaging';
import { money, toMoneyJson } from '@kontor/money';
import type { PaymentMethod } from './db/tables.js';
import type { Books, IntentNotice } from './domain/books.js';
import type { Intent } from './domain/intent.js';
import type { Wallet } from './domain/wallet.js';
import { representMethod } from './methods/represent-method.js';
import { representTransaction, type TransactionView } from './payments/represent-transaction.js';
import { representBalance } from './wallet/represent-wallet.js';

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
 * met by a credit note) tells both, first as it was opened: the document is unpaid before it is paid. `payments` are those
 * that are told about, by id.
 */
export function intentEvents(books: Books, payments: ReadonlyMap<string, TransactionView>): IntentEvent[] {
  const events: IntentEvent[] = [];
  for (const intent of books.opened) {
    intent.version = 1;
    const notices = noticesOf(books, intent, payments);
    if (intent.openMinor === intent.amountMinor) {
      events.push(intentEvent(intent, notices));
      continue;
    }
    events.push(intentEvent({ ...intent, openMinor: intent.amountMinor, creditAppliedMinor: 0n, status: 'open', paidAt: null }, []));
    intent.version = 2;
    events.push(intentEvent(intent, notices));
  }
  for (const intent of books.changedIntents) {
    intent.version += 1;
    events.push(intentEvent(intent, noticesOf(books, intent, payments)));
  }
  return events;
}

const noticesOf = (books: Books, intent: Intent, payments: ReadonlyMap<string, TransactionView>): Notice[] =>
  // The start of a top-up's payment is no story about an invoice.
  (books.notices.get(intent) ?? [])
    .filter(({ type }) => intent.topUpId === null || type !== 'invoice.payment.initiated')
    .map((notice) => noticeOf(books, intent, notice, payments.get(notice.transactionId)));

function noticeOf(books: Books, intent: Intent, { type, transactionId }: IntentNotice, payment: TransactionView | undefined): Notice {
  const transaction = books.transactions.get(transactionId);
  const representation = payment ?? (transaction ? representTransaction(transaction, [], null) : null);
  return {
    type,
    objectId: transactionId,
    data: type === 'invoice.payment.initiated' ? null : { payment: representation },
    customerId: intent.customerId,
    activity: {
      metadata: {
        invoiceId: intent.invoiceId,
        transactionId,
        amount: representation?.amount,
        gateway: transaction?.gatewayName,
        ...(type === 'payment.failed' && { reason: intent.failReason, nextRetryAt: nextRetryAt(intent) }),
        ...(type === 'payment.retry' && { attempt: intent.attempts }),
      },
    },
  };
}

/** A wallet's new balance. */
export const walletEvents = (wallets: readonly Wallet[]): NewEvent<PayloadOf<typeof walletChangedV1>>[] =>
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
      payload: { id: wallet.id, version: wallet.version, deleted: false, state, notices: [notice] },
    };
  });

/** A payment method was made, changed or removed. */
export function methodEvent(
  method: PaymentMethod,
  change: 'created' | 'updated' | 'removed',
): NewEvent<PayloadOf<typeof paymentMethodChangedV1>> {
  const representation = { ...representMethod(method) };
  const state: PaymentMethodState = {
    id: method.id, customerId: method.customerId, gatewayName: method.gatewayName, status: method.status, default: method.isDefault,
    enabled: method.enabled, representation,
  }; // prettier-ignore
  const notice: Notice = {
    type: `payment_method.${change}`,
    objectId: method.id,
    data: { paymentMethod: representation },
    customerId: method.customerId,
    activity: null,
  };
  const removed = change === 'removed';
  const activity: Notice = {
    type: 'payment.payment_method.updated', objectId: method.id, data: null, customerId: method.customerId,
    activity: { metadata: { paymentMethodId: method.id, gatewayName: method.gatewayName, change, default: method.isDefault } },
  }; // prettier-ignore
  return {
    aggregateId: method.id,
    aggregateSeq: method.version,
    payload: {
      id: method.id,
      version: method.version,
      deleted: removed,
      state: removed ? null : state,
      notices: removed ? [activity] : [notice, activity],
    },
  };
}
