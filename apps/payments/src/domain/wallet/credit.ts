import { DomainError, invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { mustCarry } from '../customer-books/amount-range.js';
import { collectableMinor, type Intent, oldestDueFirst } from '../customer-books/intent.js';
import {
  groupByOrigin,
  type Lot,
  type LotUse,
  type Origin,
  planUse,
  refill,
  take,
  usableMinor,
} from '../customer-books/lots.js';
import { creditExpired, receivableToWallet, walletAdjusted, walletToReceivable } from '../ledger/postings.js';
import { NO_ORIGIN, type Wallet, type WalletTransaction, walletKey } from '../customer-books/wallet.js';

const DAY_MS = 86_400_000;

type Movement = Pick<WalletTransaction, 'type' | 'amountMinor' | 'origin'> &
  Partial<Pick<WalletTransaction, 'intentId' | 'invoiceId' | 'transactionId' | 'description' | 'uses'>>;

/** One line of a wallet; the balance follows. @throws DomainError `amount_out_of_range` */
function move(books: Books, wallet: Wallet, movement: Movement): WalletTransaction {
  mustCarry(wallet.balanceMinor + movement.amountMinor, 'The balance of the wallet');
  wallet.balanceMinor += movement.amountMinor;
  wallet.sequence += 1;
  invariant(wallet.balanceMinor >= 0n, 'a wallet is never overdrawn');
  const line: WalletTransaction = {
    id: books.newId(),
    walletId: wallet.id,
    customerId: wallet.customerId,
    currencyCode: wallet.currencyCode,
    balanceAfterMinor: wallet.balanceMinor,
    sequence: wallet.sequence,
    intentId: null,
    invoiceId: null,
    transactionId: null,
    description: null,
    uses: [],
    createdAt: books.now,
    ...movement,
  };
  books.walletTransactions.push(line);
  books.touchWallet(wallet);
  return line;
}

/**
 * What makes credit given by hand special: promotional credit is used first; it ends on its own last day, else as the
 * setting says. Money that was paid in never ends.
 */
export interface CreditTerms {
  readonly promotional?: boolean;
  readonly expiresAt?: Date | null;
}

/** Puts new credit into a wallet as a lot of its own. `amountMinor` is more than zero. */
function addLot(
  books: Books,
  wallet: Wallet,
  movement: Movement & { amountMinor: bigint },
  terms: CreditTerms = {},
): WalletTransaction {
  const line = move(books, wallet, movement);
  const lot: Lot = {
    id: line.id,
    walletId: wallet.id,
    sourceTransactionId: movement.transactionId ?? null,
    sourceIntentId: movement.intentId ?? null,
    origin: movement.origin,
    promotional: terms.promotional ?? false,
    expiresAt: terms.expiresAt ?? null,
    amountMinor: movement.amountMinor,
    remainingMinor: movement.amountMinor,
    ordinal: line.sequence,
    createdAt: books.now,
  };
  books.lotsOf(wallet.id).push(lot);
  books.newLots.add(lot);
  return line;
}

function useLots(books: Books, wallet: Wallet, uses: readonly LotUse[]): void {
  const lots = books.lotsOf(wallet.id);
  take(lots, uses);
  books.touchLots(lots.filter((lot) => uses.some((use) => use.lotId === lot.id)));
}

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
    ...source
  }: { transactionId: string | null; origin: Origin; amountMinor?: bigint },
): void {
  invariant(amountMinor > 0n && amountMinor <= -intent.openMinor, 'only what is owed to the customer becomes credit');
  const wallet = books.walletFor(intent.customerId, intent.currencyCode);
  const line = addLot(books, wallet, {
    type,
    amountMinor,
    intentId: intent.id,
    invoiceId: intent.invoiceId,
    ...source,
  });
  books.operations.push(
    receivableToWallet({ id: line.id, customerId: intent.customerId, currencyCode: intent.currencyCode, amountMinor }),
  );
  books.allocate(intent, 'to_wallet', -amountMinor, {
    walletTransactionId: line.id,
    transactionId: source.transactionId,
  });
}

/**
 * What a credit note or a refund owes the customer, but for what is on its way back at a gateway, becomes credit, which
 * then pays open invoices where the setting says so.
 */
export function creditDocument(books: Books, intent: Intent): void {
  const amountMinor = -intent.openMinor - intent.pendingMinor;
  moveToWallet(books, intent, 'credit_note', { transactionId: null, origin: NO_ORIGIN, amountMinor });
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

/** Credit of one lot that pays an intent, net of what was reversed. */
export interface SpentCredit extends LotUse {
  readonly intentId: string;
}

/**
 * The money behind credit went back, so its lots go too. What they paid is reversed first: those invoices are open
 * again. Only what was spent on no invoice (deducted by hand, expired) stays owed on the intent that had brought the
 * credit.
 */
export function withdrawCredit(
  books: Books,
  payment: { id: string; customerId: string; currencyCode: string },
  { sources, spent }: { sources: ReadonlySet<string>; spent: readonly SpentCredit[] },
): void {
  const wallet = books.wallets.get(walletKey(payment.customerId, payment.currencyCode));
  if (!wallet) return;
  for (const lot of books.lotsOf(wallet.id)) {
    if (lot.sourceTransactionId !== payment.id || !sources.has(lot.sourceIntentId ?? '')) continue;
    for (const use of spent) if (use.lotId === lot.id) reverseCredit(books, books.intent(use.intentId), [use]);
    if (lot.remainingMinor > 0n) withdrawLot(books, wallet, lot, payment.id);
  }
}

function withdrawLot(books: Books, wallet: Wallet, lot: Lot, transactionId: string): void {
  const intentId = lot.sourceIntentId;
  invariant(intentId !== null, 'the credit of a payment came by an intent');
  const intent = books.intent(intentId);
  const amountMinor = lot.remainingMinor;
  const uses = [{ lotId: lot.id, amountMinor }];
  useLots(books, wallet, uses);
  const isTopUp = intent.topUpId !== null;
  const line = move(books, wallet, {
    type: isTopUp ? 'top_up' : 'overpayment',
    amountMinor: -amountMinor,
    origin: lot.origin,
    intentId,
    invoiceId: intent.invoiceId,
    transactionId,
    uses,
  });
  books.operations.push(
    walletToReceivable({ id: line.id, customerId: wallet.customerId, currencyCode: wallet.currencyCode, amountMinor }),
  );
  if (!isTopUp) books.allocate(intent, 'from_wallet', amountMinor, { walletTransactionId: line.id, transactionId });
}

/**
 * Credit pays the customer's open invoices of its currency, oldest due first (ties by number), each
 * completely before the next; the last may be part-paid. What a gateway is just collecting is left alone.
 * @see docs/rules/payments.md#credit-application
 */
export function applyCredit(books: Books, customerId: string, currencyCode: string): void {
  const wallet = books.wallets.get(walletKey(customerId, currencyCode));
  if (!wallet || !books.rulesOf(customerId).applyAutomatically) return;
  const lots = books.lotsOf(wallet.id);
  let leftMinor = usableMinor(lots, books.now);
  if (leftMinor === 0n) return;
  const waiting = [...books.intents.values()]
    .filter(
      (i) =>
        i.customerId === customerId &&
        i.currencyCode === currencyCode &&
        i.invoiceId !== null &&
        collectableMinor(i) > 0n,
    )
    .sort(oldestDueFirst);
  for (const intent of waiting) {
    if (leftMinor === 0n) break;
    const wanted = collectableMinor(intent);
    const amountMinor = wanted < leftMinor ? wanted : leftMinor;
    payWithCredit(books, wallet, intent, amountMinor);
    leftMinor -= amountMinor;
  }
}

function payWithCredit(books: Books, wallet: Wallet, intent: Intent, amountMinor: bigint): void {
  const lots = books.lotsOf(wallet.id);
  const plan = planUse(lots, amountMinor, books.now);
  invariant(plan, 'no more credit is used than there is');
  useLots(books, wallet, plan);
  for (const group of groupByOrigin(lots, plan)) {
    const line = move(books, wallet, {
      type: 'invoice_payment',
      amountMinor: -group.amountMinor,
      origin: group.origin,
      intentId: intent.id,
      invoiceId: intent.invoiceId,
      uses: group.uses,
    });
    books.operations.push(
      walletToReceivable({
        id: line.id,
        customerId: wallet.customerId,
        currencyCode: wallet.currencyCode,
        amountMinor: group.amountMinor,
      }),
    );
    intent.creditAppliedMinor += group.amountMinor;
    books.allocate(intent, 'credit', group.amountMinor, { walletTransactionId: line.id });
  }
}

/** Gives credit that paid an intent back to the very lots it came from; the intent is open again by it. */
export function reverseCredit(books: Books, intent: Intent, paid: readonly LotUse[]): void {
  const wallet = books.walletFor(intent.customerId, intent.currencyCode);
  const lots = books.lotsOf(wallet.id);
  for (const { origin, uses, amountMinor } of groupByOrigin(lots, paid)) {
    refill(lots, uses);
    books.touchLots(lots.filter((lot) => uses.some((use) => use.lotId === lot.id)));
    const line = move(books, wallet, {
      type: 'invoice_payment_reversal',
      amountMinor,
      origin,
      intentId: intent.id,
      invoiceId: intent.invoiceId,
      uses,
    });
    books.operations.push(
      receivableToWallet({
        id: line.id,
        customerId: wallet.customerId,
        currencyCode: wallet.currencyCode,
        amountMinor,
      }),
    );
    intent.creditAppliedMinor -= amountMinor;
    books.allocate(intent, 'credit_reversed', -amountMinor, { walletTransactionId: line.id });
  }
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
