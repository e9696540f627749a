import { mustCarry } from './amount-range.js';
import { invariant } from '@kontor/kernel';
import { type CreditRules, NO_CREDIT } from './credit-rules.js';
import { type Intent, openBeside, statusOf } from './intent.js';
import type { Lot } from './lots.js';
import type { LedgerOperation } from '../ledger/postings.js';
import type { Allocation, AllocationKind, PaymentTransaction } from './transaction.js';
import { type Wallet, type WalletTransaction, walletKey } from './wallet.js';

/** A notice to customers and tenants about an intent. */
export interface IntentNotice {
  readonly type: 'invoice.payment.initiated' | 'payment.failed' | 'payment.retry';
  readonly transactionId: string;
}

/** Money under way for an intent that waits for a file for the bank: it can still be stopped. Minor units. */
export interface Unsent {
  readonly transactionId: string;
  readonly intentId: string;
  readonly amountMinor: bigint;
}

/** What was loaded: rows of the customers concerned, locked. */
export interface LoadedBooks {
  readonly intents?: readonly Intent[];
  readonly wallets?: readonly Wallet[];
  readonly lots?: readonly Lot[];
  readonly transactions?: readonly PaymentTransaction[];
  /** The bank transfer among a customer's methods, by customer id; only where money from the bank is booked. */
  readonly bankMethods?: ReadonlyMap<string, string>;
  /** By customer id. */
  readonly rules?: ReadonlyMap<string, CreditRules>;
  readonly unsent?: readonly Unsent[];
}

/**
 * The customers' books while one decision is made: what was loaded, and what has to be saved. The functions of this
 * folder change it; loading, saving and publishing are done around it. Nothing here waits, reads a clock or makes
 * up ids: both are given.
 */
export class Books {
  readonly intents = new Map<string, Intent>();
  readonly wallets = new Map<string, Wallet>();
  readonly transactions = new Map<string, PaymentTransaction>();
  private readonly lotsByWallet = new Map<string, Lot[]>();
  private readonly rules: ReadonlyMap<string, CreditRules>;
  private readonly bankMethods: ReadonlyMap<string, string>;
  /** By intent id. */
  private readonly unsent: ReadonlyMap<string, readonly Unsent[]>;

  readonly opened = new Set<Intent>();
  readonly changedIntents = new Set<Intent>();
  readonly openedWallets = new Set<Wallet>();
  readonly changedWallets = new Set<Wallet>();
  readonly newTransactions = new Set<PaymentTransaction>();
  readonly changedTransactions = new Set<PaymentTransaction>();
  readonly newLots = new Set<Lot>();
  readonly changedLots = new Set<Lot>();
  readonly allocations: Allocation[] = [];
  readonly walletTransactions: WalletTransaction[] = [];
  readonly operations: LedgerOperation[] = [];
  readonly notices = new Map<Intent, IntentNotice[]>();

  constructor(
    readonly now: Date,
    readonly newId: () => string,
    loaded: LoadedBooks = {},
  ) {
    for (const intent of loaded.intents ?? []) this.intents.set(intent.id, intent);
    for (const wallet of loaded.wallets ?? [])
      this.wallets.set(walletKey(wallet.customerId, wallet.currencyCode), wallet);
    for (const lot of loaded.lots ?? []) this.lotsOf(lot.walletId).push(lot);
    for (const transaction of loaded.transactions ?? []) this.transactions.set(transaction.id, transaction);
    this.rules = loaded.rules ?? new Map();
    this.bankMethods = loaded.bankMethods ?? new Map();
    this.unsent = Map.groupBy(loaded.unsent ?? [], ({ intentId }) => intentId);
  }

  rulesOf(customerId: string): CreditRules {
    return this.rules.get(customerId) ?? NO_CREDIT;
  }

  bankMethodOf(customerId: string): string | null {
    return this.bankMethods.get(customerId) ?? null;
  }

  lotsOf(walletId: string): Lot[] {
    let lots = this.lotsByWallet.get(walletId);
    if (!lots) this.lotsByWallet.set(walletId, (lots = []));
    return lots;
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id);
    invariant(intent, `intent ${id} is loaded`);
    return intent;
  }

  /** What a gateway or the bank is moving by now: of what is under way, all that waits neither for its payer nor for a file. */
  movingMinor({ id, pendingMinor, payerMinor }: Intent): bigint {
    const waits = ({ transactionId }: Unsent): boolean =>
      (this.transactions.get(transactionId)?.status ?? 'pending') === 'pending';
    return (this.unsent.get(id) ?? [])
      .filter(waits)
      .reduce((moving, { amountMinor }) => moving - amountMinor, pendingMinor - payerMinor);
  }

  /** What credit and credit notes may pay: all that is open and is not being moved already. Never negative. */
  creditableMinor(intent: Intent): bigint {
    return openBeside(intent, this.movingMinor(intent));
  }

  /** The customer's wallet in that currency; a first one is opened empty. */
  walletFor(customerId: string, currencyCode: string): Wallet {
    const key = walletKey(customerId, currencyCode);
    const known = this.wallets.get(key);
    if (known) return known;
    const wallet: Wallet = {
      id: this.newId(),
      customerId,
      currencyCode,
      balanceMinor: 0n,
      version: 0,
      sequence: 0,
      createdAt: this.now,
    };
    this.wallets.set(key, wallet);
    this.openedWallets.add(wallet);
    return wallet;
  }

  open(intent: Intent): Intent {
    this.intents.set(intent.id, intent);
    this.opened.add(intent);
    return intent;
  }

  add(transaction: PaymentTransaction): PaymentTransaction {
    this.transactions.set(transaction.id, transaction);
    this.newTransactions.add(transaction);
    return transaction;
  }

  /** Notes that a loaded row is no longer as it was. */
  touch(intent: Intent): void {
    if (!this.opened.has(intent)) this.changedIntents.add(intent);
  }

  touchTransaction(transaction: PaymentTransaction): void {
    if (!this.newTransactions.has(transaction)) this.changedTransactions.add(transaction);
  }

  touchLots(lots: Iterable<Lot>): void {
    for (const lot of lots) if (!this.newLots.has(lot)) this.changedLots.add(lot);
  }

  touchWallet(wallet: Wallet): void {
    if (!this.openedWallets.has(wallet)) this.changedWallets.add(wallet);
  }

  /**
   * Lowers (or raises, when negative) an intent's open amount and lets its status and pay date follow.
   * @throws DomainError `amount_out_of_range`
   */
  allocate(
    intent: Intent,
    kind: AllocationKind,
    amountMinor: bigint,
    by: Partial<Pick<Allocation, 'transactionId' | 'walletTransactionId' | 'counterIntentId'>>,
    at = this.now,
  ): void {
    invariant(amountMinor !== 0n, 'an allocation moves something');
    mustCarry(intent.openMinor - amountMinor, 'The open amount of the document');
    intent.openMinor -= amountMinor;
    this.allocations.push({
      id: this.newId(),
      intentId: intent.id,
      kind,
      amountMinor,
      transactionId: by.transactionId ?? null,
      walletTransactionId: by.walletTransactionId ?? null,
      counterIntentId: by.counterIntentId ?? null,
      createdAt: this.now,
    });
    this.restate(intent, at);
  }

  /** Status and pay date follow from the amounts; `at` is when a settling payment was made. */
  restate(intent: Intent, at = this.now): void {
    intent.status = statusOf(intent);
    intent.paidAt = intent.status === 'succeeded' ? (intent.paidAt ?? at) : null;
    this.touch(intent);
  }

  notify(intent: Intent, notice: IntentNotice): void {
    this.notices.set(intent, [...(this.notices.get(intent) ?? []), notice]);
  }
}
