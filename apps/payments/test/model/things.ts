import type { Purse } from './purse.js';

export type Currency = 'EUR' | 'CHF';

export interface Doc {
  /** Of the invoice or top-up; null until the service showed it (automatic top-ups). */
  id: string | null;
  readonly purse: Purse;
  readonly kind: 'invoice' | 'credit' | 'refund' | 'top_up';
  /** Negative for what is owed to the customer. */
  readonly amount: number;
  open: number;
  pending: number;
  failed: boolean;
  cancelled: boolean;
  credit: number;
  /** What it has put into the wallet, and has not got back. */
  toWallet: number;
  /** Of a refund: which payments' money it has made credit. */
  readonly moneyToWallet: Map<Payment, number>;
  readonly due: number;
  readonly number: string;
  /** Of a refund: the invoice whose money goes back. */
  readonly of: Doc | null;
  readonly automatic: boolean;
  /** The payment method that is to settle it. */
  method: string | null;
  topUp: 'pending' | 'completed' | 'failed';
}

export interface Payment {
  /** Null until the service showed it (collections). */
  id: string | null;
  readonly doc: Doc;
  readonly amount: number;
  readonly byGateway: boolean;
  status: 'pending' | 'failed' | 'succeeded' | 'returned';
  paidAt: number;
  /** What of it has gone back, as long as some stands. */
  back?: number;
  /** The payer has to act. */
  waits?: boolean;
  /** Somebody reported it; `line`: the statement line that has confirmed it. */
  recorded?: boolean;
  line?: Line | null;
}

export interface Refund {
  id: string | null;
  readonly doc: Doc;
  readonly payment: Payment;
  readonly amount: number;
  status: 'pending' | 'failed' | 'succeeded';
}

export interface Lot {
  rest: number;
  /** What it was at first, less what was withdrawn. */
  amount: number;
  readonly promotional: boolean;
  readonly expires: number | null;
  readonly source: { readonly payment: Payment; readonly doc: Doc } | null;
  /** What documents got from it and still have. */
  readonly used: Map<Doc, number>;
}

export interface Rule {
  readonly id: string;
  threshold: number;
  amount: number;
  enabled: boolean;
  failures: number;
}

/** Money of a statement line that went to a document. */
export interface Part {
  id: string | null;
  readonly doc: Doc;
  readonly amount: number;
  readonly payment: Payment | null;
  /** The line only confirms that payment, which was recorded before. */
  readonly confirms?: boolean;
}

export interface Line {
  readonly id: string;
  readonly amount: number;
  readonly currency: Currency;
  rest: number;
  status: 'untouched' | 'OUTSTANDING_AMOUNT' | 'BOOKED' | 'IGNORED';
  /** The document that its text names. */
  readonly names: Doc | null;
  byHand: boolean;
  readonly parts: Part[];
}

export interface Settings {
  creditOverpayments?: boolean | null;
  applyCreditAutomatically?: boolean | null;
  creditExpiryDays?: number | null;
}

export const DAY = 86_400_000;

/** What of a payment has not gone back. */
export const standing = ({ amount, back = 0 }: Payment): number => amount - back;

export function statusOf(doc: Doc): string {
  if (doc.cancelled) return 'cancelled';
  if (doc.amount > 0 ? doc.open <= 0 : doc.open >= 0) return 'succeeded';
  if (doc.pending > 0) return 'processing';
  return doc.failed ? 'failed' : 'open';
}
