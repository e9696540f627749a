import { DomainError, invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import { type Origin, planUse } from '../customer-books/lots.js';
import { NO_ORIGIN, type Wallet, type WalletTransaction, walletKey } from '../customer-books/wallet.js';
import { creditExpired, receivableToWallet, walletAdjusted } from '../ledger/postings.js';
import { applyCredit } from './apply-credit.js';
import { type SpentLot, upTo } from './spent-credit.js';
import { addLot, type CreditTerms, move, useLots } from './wallet-lines.js';

const DAY_MS = 86_400_000;

/**
 * What an intent has too much (overpaid) or owes the customer (credit note) becomes credit: all of it, or `amountMinor`
 * of it.
 */
export function moveToWallet(
  books: Books,
  intent: Intent,
  type: 'overpayment' | 'credit_note',
  {
    amountMinor = -intent.openMinor,
    terms,
    ...source
  }: { transactionId: string | null; origin: Origin; amountMinor?: bigint; terms?: CreditTerms },
): void {
  invariant(amountMinor > 0n && amountMinor <= -intent.openMinor, 'only what is owed to the customer becomes credit');
  const wallet = books.walletFor(intent.customerId, intent.currencyCode);
  const movement = { type, amountMinor, intentId: intent.id, invoiceId: intent.invoiceId, ...source };
  const line = addLot(books, wallet, movement, terms);
  books.operations.push(
    receivableToWallet({ id: line.id, customerId: intent.customerId, currencyCode: intent.currencyCode, amountMinor }),
  );
  books.allocate(intent, 'to_wallet', -amountMinor, {
    walletTransactionId: line.id,
    transactionId: source.transactionId,
  });
}

/** So much of a payment has paid an invoice and stands. */
export interface PaidMoney {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly origin: Origin;
}

/** Without what the same decision has made credit of it. */
export const notCreditYet = (books: Books, paid: readonly PaidMoney[]): PaidMoney[] =>
  paid
    .map((part) => ({
      ...part,
      amountMinor: [...books.newLots].reduce(
        (left, lot) => (lot.sourceTransactionId === part.transactionId ? left - lot.amountMinor : left),
        part.amountMinor,
      ),
    }))
    .filter(({ amountMinor }) => amountMinor > 0n);

/**
 * What a credit note or a refund owes the customer, but for what is on its way back at a gateway, becomes credit, or `amountMinor` of it; that
 * then pays open invoices where the setting says so. First what money paid (`paid`), each part with the origin of its payment, then
 * what credit paid (`spent`), with its terms.
 */
export function creditDocument(
  books: Books,
  intent: Intent,
  {
    amountMinor = -intent.openMinor - intent.pendingMinor,
    paid = [],
    spent = [],
  }: { amountMinor?: bigint; paid?: readonly PaidMoney[]; spent?: readonly SpentLot[] } = {},
): void {
  let plainMinor = amountMinor;
  for (const part of upTo(amountMinor, paid)) {
    moveToWallet(books, intent, 'credit_note', part);
    plainMinor -= part.amountMinor;
  }
  for (const { amountMinor: part, origin, promotional, expiresAt } of upTo(plainMinor, spent)) {
    const terms = { promotional, expiresAt };
    moveToWallet(books, intent, 'credit_note', { transactionId: null, origin, amountMinor: part, terms });
    plainMinor -= part;
  }
  if (plainMinor > 0n)
    moveToWallet(books, intent, 'credit_note', { transactionId: null, origin: NO_ORIGIN, amountMinor: plainMinor });
  applyCredit(books, intent.customerId, intent.currencyCode);
}

/**
 * The money of a top-up is there: all of it becomes credit, which then pays open invoices where the setting says so.
 */
export function creditTopUp(
  books: Books,
  intent: Intent,
  payment: { id: string; amountMinor: bigint; origin: Origin },
): void {
  const { customerId, currencyCode } = intent;
  const wallet = books.walletFor(customerId, currencyCode);
  const line = addLot(books, wallet, {
    type: 'top_up',
    amountMinor: payment.amountMinor,
    intentId: intent.id,
    transactionId: payment.id,
    origin: payment.origin,
  });
  books.operations.push(
    receivableToWallet({ id: line.id, customerId, currencyCode, amountMinor: payment.amountMinor }),
  );
  applyCredit(books, customerId, currencyCode);
}

/**
 * Credit given or deducted by hand; credit that arrives pays open invoices at once where the setting says so.
 * @throws DomainError `insufficient_credit` when more is deducted than there is, `amount_out_of_range`.
 */
export function adjustWallet(
  books: Books,
  adjustment: { customerId: string; currencyCode: string; amountMinor: bigint; description: string } & CreditTerms,
): WalletTransaction {
  const { customerId, currencyCode, amountMinor, description } = adjustment;
  const known = books.wallets.get(walletKey(customerId, currencyCode));
  const uses = amountMinor > 0n ? [] : planUse(known ? books.lotsOf(known.id) : [], -amountMinor, books.now);
  if (!uses)
    throw new DomainError('insufficient_credit', { detail: 'The wallet has less credit than the adjustment deducts.' });
  const wallet = known ?? books.walletFor(customerId, currencyCode);
  const movement = { type: 'adjustment' as const, amountMinor, description, origin: NO_ORIGIN };
  if (uses.length > 0) useLots(books, wallet, uses);
  const expiresAt = adjustment.expiresAt ?? lastDayOfGift(books, customerId);
  const line =
    amountMinor > 0n
      ? addLot(books, wallet, movement, { ...adjustment, expiresAt })
      : move(books, wallet, { ...movement, uses });
  books.operations.push(walletAdjusted({ id: line.id, customerId, currencyCode, amountMinor }));
  if (amountMinor > 0n) applyCredit(books, customerId, currencyCode);
  return line;
}

function lastDayOfGift(books: Books, customerId: string): Date | null {
  const { expiryDays } = books.rulesOf(customerId);
  return expiryDays === null ? null : new Date(books.now.getTime() + expiryDays * DAY_MS);
}

/** Books out what is left of lots whose last day has passed. */
export function expireCredit(books: Books, wallet: Wallet): void {
  for (const lot of books.lotsOf(wallet.id)) {
    if (lot.remainingMinor === 0n || lot.expiresAt === null || lot.expiresAt > books.now) continue;
    const uses = [{ lotId: lot.id, amountMinor: lot.remainingMinor }];
    const amountMinor = lot.remainingMinor;
    useLots(books, wallet, uses);
    const line = move(books, wallet, { type: 'expiry', amountMinor: -amountMinor, origin: lot.origin, uses });
    books.operations.push(
      creditExpired({ id: line.id, customerId: wallet.customerId, currencyCode: wallet.currencyCode, amountMinor }),
    );
  }
}
