import type { Day } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { Unsent } from '../../domain/customer-books/books.js';

/** What a transaction shows of the order that moves its money at the bank. */
export interface BankOrder {
  /** The day on which the bank is asked to move the money. */
  readonly requestedOn: Day;
  /** What the bank's line names. */
  readonly endToEndId: string;
}

/** Money that goes out by bank: a refund, or a credit note that is paid out. */
export interface TransferRequest {
  /** Of the pending transaction that it belongs to. */
  readonly transactionId: string;
  readonly customerId: string;
  readonly intentId: string | null;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly name: string;
  /** What the payee reads. */
  readonly remittance: string;
}

/**
 * Debits and transfers that go to the bank by file, as those see them who collect and pay out. An adapter registers at
 * composition.
 */
export abstract class BankOrders {
  /** The orders of these transactions, by the transaction's id. */
  abstract findByTransactions(tx: TenantTx, transactionIds: readonly string[]): Promise<ReadonlyMap<string, BankOrder>>;
  /** The days of the debits that are under way for intents, by the intent's id. */
  abstract debitDays(tx: TenantTx, intentIds: readonly string[]): Promise<ReadonlyMap<string, Day>>;
  /** Whether a bank transfer can move this amount. */
  abstract canTransfer(currencyCode: string, amountMinor: bigint): boolean;
  /**
   * Notes a transfer for the next file, in the transaction of its cause. The next banking day is its day.
   * @throws DomainError `validation_failed` (iban, currencyCode, amount).
   */
  abstract planTransfer(tx: TenantTx, request: TransferRequest): Promise<void>;
  /**
   * Which of these transactions are in no file yet. Their customers are locked: what waits now still waits at the
   * commit.
   */
  abstract findWaiting(tx: TenantTx, transactionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** What is under way for these intents and in no file yet, as long as their customers are locked. */
  abstract unsentOf(tx: TenantTx, intentIds: readonly string[]): Promise<readonly Unsent[]>;
  /** Somebody reports that what this transfer paid out came back; nothing for what is no transfer of ours. */
  abstract noteReturned(tx: TenantTx, transactionId: string, reason: string): Promise<void>;
  /** Cancels those of these transfers that are in no file yet. */
  abstract cancelTransfers(tx: TenantTx, transactionIds: readonly string[], reason: string): Promise<void>;
}
