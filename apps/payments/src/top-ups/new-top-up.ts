import { topUpChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { type PaymentMethod, methods } from '../payment-methods/payment-method.row.js';
import { mustCarry } from '../domain/customer-books/amount-range.js';
import { walletKey } from '../domain/customer-books/wallet.js';
import { canCollect } from '../domain/payment-methods/payment-method.js';
import { openTopUp, type TopUp } from '../domain/top-ups/top-up.js';
import { COLLECT } from '../due-kinds.js';
import { topUpEvent } from './top-up-events.js';
import { topUps } from './top-up.row.js';

export interface TopUpRequest {
  readonly customerId: string;
  readonly currencyCode: string;
  readonly amountMinor: bigint;
  readonly ruleId: string | null;
}

/** The method that is named, else the customer's default; removed ones do not count. */
export async function methodOfCustomer(
  tx: TenantTx,
  customerId: string,
  methodId: string | null,
): Promise<PaymentMethod | undefined> {
  const where =
    'customer_id = $2 AND deleted_at IS NULL AND CASE WHEN $3::uuid IS NULL THEN is_default ELSE id = $3::uuid END';
  const [method] = await methods.where(tx, where, [customerId, methodId]);
  return method;
}

/** True when money can come from it: it is fetched, or (for a top-up that somebody asked for) transferred. */
export const canTopUp = (method: PaymentMethod, currencyCode: string, byTransfer: boolean): boolean =>
  canCollect(method, currencyCode) ||
  (byTransfer && method.gatewayName === 'bank_transfer' && method.status === 'active' && method.enabled);

export const newTopUp = (tx: TenantTx, request: TopUpRequest, method: PaymentMethod | undefined): TopUp => {
  const id = newUuid();
  return {
    id,
    intentId: null,
    customerId: request.customerId,
    currencyCode: request.currencyCode,
    requestedMinor: request.amountMinor,
    creditedMinor: null,
    status: 'pending',
    paymentMethodId: method?.id ?? null,
    failReason: null,
    reference: `TU-${id.slice(-10).toUpperCase()}`,
    ruleId: request.ruleId,
    completedAt: null,
    version: 1,
    createdAt: tx.now,
  };
};

/**
 * Opens the top-up's intent and notes what the gateway is to collect. The customer's books are locked by the caller.
 * @throws DomainError `amount_out_of_range`: nobody pays for credit that the wallet cannot carry.
 */
export async function startTopUp(
  tx: TenantTx,
  customerBooks: CustomerBooks,
  request: TopUpRequest,
  method: PaymentMethod,
): Promise<TopUp> {
  const books = await customerBooks.load(tx, { customerIds: [request.customerId] });
  const wallet = books.wallets.get(walletKey(request.customerId, request.currencyCode));
  mustCarry((wallet?.balanceMinor ?? 0n) + request.amountMinor, 'The balance of the wallet');
  const collectionId = newUuid();
  const topUp = newTopUp(tx, request, method);
  const intent = openTopUp(books, topUp, method, collectionId);
  const started = { ...topUp, intentId: intent.id };
  await topUps.insert(tx, [started]);
  await customerBooks.save(tx, books);
  await appendEvents(tx, topUpChangedV1, [topUpEvent(started)]);
  if (books.newTransactions.size > 0) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  return started;
}
