/** Where a statement came from: the same entry looks a little different in each. */
export type StatementFormat = 'camt053' | 'mt940' | 'json';

/** Of what a statement calls itself: it is in the name of each of its entries. */
export const MAX_NAME = 100;

/** A statement as it was written: nothing checked, amounts still text. */
export interface RawStatement {
  /** How people find it: `statement 2026-00231`. */
  readonly name: string;
  /** The account as the file names it: an IBAN, or whatever the bank uses; null when it does not say. */
  readonly account: string | null;
  readonly entries: readonly RawEntry[];
}

export interface RawEntry {
  /** How people find it in the file: `entry 3 of statement 2026-00231`. */
  readonly name: string;
  /** Its place in the caller's list; in a file they are counted. */
  readonly index?: number;
  readonly bookingDay: string;
  readonly valueDay: string | null;
  /** Major units without sign, a dot before the decimals. */
  readonly amount: string;
  /** Null: the file does not say. */
  readonly isDebit: boolean | null;
  /** Empty: the account's. */
  readonly currencyCode: string;
  /** The bank's own reference of the booking. */
  readonly bankReference: string | null;
  /** One, or the parts of a batch. */
  readonly details: readonly RawDetail[];
}

export interface RawDetail {
  /** Null: not stated, or the whole entry. */
  readonly amount: string | null;
  readonly currencyCode: string | null;
  readonly isDebit: boolean | null;
  readonly reference: string | null;
  readonly endToEndId: string | null;
  readonly mandateReference: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  readonly remittance: string | null;
  readonly isReturn: boolean;
  /** Code or words of why it came back. */
  readonly returnReason: string | null;
  /** What the bank took on top, in major units. */
  readonly charges: string | null;
  readonly batch: BatchIds;
}

/** A day as banks write it: those that count 30 days a month have a 30 February, which is the month's last day. */
export function bankDay(day: string): string {
  const [, year, date] = /^(\d{4})-02-(29|30)$/.exec(day) ?? [];
  if (year === undefined) return day;
  const isLeapYear = new Date(Date.UTC(Number(year), 1, 29)).getUTCMonth() === 1;
  return date === '29' && isLeapYear ? day : `${year}-02-${isLeapYear ? 29 : 28}`;
}

/** What banks write where there is no reference: as one, it would make two payers' bookings of one amount the same. */
const NO_REFERENCE = /^(NON-?E?REF|NO-?REF|NONE|NOT ?PROVIDED|0+)$/i;

/** A reference of a bank or payer; null for a word that stands for none. */
export function realReference(written: string | undefined): string | null {
  const reference = written?.trim() ?? '';
  return reference === '' || NO_REFERENCE.test(reference) ? null : reference;
}

/** Names of a batch that we sent to the bank. */
export interface BatchIds {
  readonly paymentInformationId: string | null;
  readonly messageId: string | null;
}

export const NO_BATCH: BatchIds = { paymentInformationId: null, messageId: null };

/** A checked booking of the account. Amounts are signed minor units: money in is positive. */
export interface StatementEntry {
  readonly bookingDay: string;
  readonly amountMinor: bigint;
  readonly bankReference: string | null;
  readonly lines: readonly StatementLine[];
}

/** What will be assigned: the entry itself, or one part of a batch. */
export interface StatementLine {
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  readonly bookingDay: string;
  readonly valueDay: string;
  readonly reference: string;
  readonly endToEndId: string | null;
  readonly mandateReference: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  readonly remittance: string | null;
  readonly isReturn: boolean;
  readonly returnReason: string | null;
  readonly chargesMinor: bigint;
  readonly batch: BatchIds;
}

/** A file that cannot be imported at all; the message says where and why, for the person who sent it. */
export class UnreadableStatement extends Error {
  constructor(
    message: string,
    readonly reason = 'statement_unreadable',
  ) {
    super(message);
    this.name = 'UnreadableStatement';
  }
}
