import { type Intent, overpaidMinor } from '../customer-books/intent.js';
import type { BatchIds } from './import/statement.js';

/**
 * `RECEIVED`: imported, not looked at yet. `OUTSTANDING_AMOUNT`: partly assigned. `MANUAL_MATCHING_REQUIRED`: nothing
 * was found that it could be for.
 */
export const BANK_STATUSES = [
  'STATUS_RECEIVED',
  'STATUS_SUGGESTIONS_AVAILABLE',
  'STATUS_MANUAL_MATCHING_REQUIRED',
  'STATUS_OUTSTANDING_AMOUNT',
  'STATUS_BOOKED',
  'STATUS_IGNORED',
] as const;
export type BankStatus = (typeof BANK_STATUSES)[number];

/** An invoice that the money may be for. `score` is 0 to 1; `reason` is for people. */
export interface Suggestion {
  readonly invoiceId: string;
  readonly score: number;
  readonly reason: string;
  /**
   * The line is the money of this payment, which somebody recorded before: accepting links the two and books nothing
   * twice.
   */
  readonly confirmsTransactionId?: string;
}

/** A line of a statement: money in is positive. */
export interface BankTransaction {
  readonly id: string;
  readonly bankAccountId: string;
  readonly entryId: string;
  readonly importId: string;
  status: BankStatus;
  readonly isReturn: boolean;
  readonly amountMinor: bigint;
  /** What lies in suspense of it, with the sign of the amount. */
  unassignedMinor: bigint;
  readonly currencyCode: string;
  readonly bookingDate: Date;
  readonly valueDate: Date;
  readonly reference: string;
  readonly endToEndId: string | null;
  readonly mandateReference: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  readonly remittanceInformation: string | null;
  readonly returnReason: string | null;
  readonly chargesMinor: bigint;
  readonly batchIds: BatchIds;
  suggestions: readonly Suggestion[];
  /** Somebody took an assignment back: it is suggested from then on, never booked by itself. */
  byHand: boolean;
  version: number;
  readonly createdAt: Date;
}

/** Whether money that goes the line's way can be for a document: what goes out is for one that owes the customer, an overpaid invoice, too. */
export const goesTheWayOf = (line: Pick<BankTransaction, 'amountMinor'>, intent: Intent): boolean =>
  line.amountMinor > 0n ? intent.amountMinor > 0n : intent.amountMinor < 0n || overpaidMinor(intent) > 0n;

/** Money of a line that went to one invoice, or to a top-up. Signed as the line is. */
export interface BankAssignment {
  readonly id: string;
  readonly bankTransactionId: string;
  /** Null: a top-up's, which answers and events do not show. */
  readonly invoiceId: string | null;
  readonly customerId: string;
  /** The payment (or return) that it made; or the recorded payment that the line confirms. */
  readonly transactionId: string;
  readonly amountMinor: bigint;
  revokedAt: Date | null;
  readonly createdAt: Date;
}

/** What lines show of their assignments: those to documents. */
export const assignedTo = (
  assignments: readonly BankAssignment[],
): { id: string; invoiceId: string; amount: number }[] =>
  assignments.flatMap(({ id, invoiceId, amountMinor }) =>
    invoiceId === null ? [] : [{ id, invoiceId, amount: Number(amountMinor) }],
  );

const ASSIGNABLE: readonly BankStatus[] = [
  'STATUS_RECEIVED',
  'STATUS_SUGGESTIONS_AVAILABLE',
  'STATUS_MANUAL_MATCHING_REQUIRED',
  'STATUS_OUTSTANDING_AMOUNT',
];

export const isAssignable = (line: BankTransaction): boolean => ASSIGNABLE.includes(line.status);

/** The status that follows from what is assigned and what was found. */
export function restate(line: BankTransaction): void {
  if (line.unassignedMinor === 0n) line.status = 'STATUS_BOOKED';
  else if (line.unassignedMinor !== line.amountMinor) line.status = 'STATUS_OUTSTANDING_AMOUNT';
  else line.status = line.suggestions.length > 0 ? 'STATUS_SUGGESTIONS_AVAILABLE' : 'STATUS_MANUAL_MATCHING_REQUIRED';
}
