import { formatMajor, money } from '@kontor/money';
import type { Intent } from '../../customer-books/intent.js';
import type { BankTransaction, Suggestion } from '../bank-transaction.js';

/** A payment that was recorded by hand on a document that the line may be about. */
export interface RecordedHit {
  readonly transactionId: string;
  readonly intent: Intent;
  /** Minor units, positive. */
  readonly amountMinor: bigint;
  readonly paymentDate: Date;
  /** `number`: the text names the document; else how the payer points to the customer. */
  readonly via: 'number' | 'iban' | 'customer' | 'name';
}

const HINTS: Readonly<Record<RecordedHit['via'], { readonly why: string; readonly score: number }>> = {
  number: { why: 'the text names it', score: 0.97 },
  iban: { why: 'the same account has paid for this customer before', score: 0.75 },
  customer: { why: 'the payer has the name of this customer', score: 0.65 },
  name: { why: 'a payer of this name has paid for this customer before', score: 0.55 },
};

/**
 * Recorded payments that the line may be: the one of exactly its amount, or all that were recorded on the documents
 * which it names, when together they are its amount. Booking them once more would pay twice.
 */
export function confirmable(line: BankTransaction, hits: readonly RecordedHit[]): Suggestion[] {
  const size = line.unassignedMinor < 0n ? -line.unassignedMinor : line.unassignedMinor;
  const strongestLast = [...hits].sort((a, b) => HINTS[a.via].score - HINTS[b.via].score);
  const unique = [...new Map(strongestLast.map((hit) => [hit.transactionId, hit])).values()];
  // Of several equal ones on a document, the first to be recorded is as good as any.
  const equal = unique.filter(({ amountMinor }) => amountMinor === size);
  const exact = equal.filter((hit) => equal.find(({ intent }) => intent === hit.intent) === hit);
  if (exact.length > 0) return exact.map((hit) => suggestion(line, hit, exact.length > 1 ? 'one of several' : 'alone'));
  const named = unique.filter(({ via }) => via === 'number');
  const together = named.length > 1 && named.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) === size;
  return together ? named.map((hit) => suggestion(line, hit, 'together')) : [];
}

function suggestion(line: BankTransaction, hit: RecordedHit, how: 'alone' | 'one of several' | 'together'): Suggestion {
  const { intent, transactionId, amountMinor, paymentDate, via } = hit;
  const amount = `${formatMajor(money(amountMinor, line.currencyCode))} ${line.currencyCode}`;
  const { why, score } = HINTS[via];
  const more = {
    alone: '',
    'one of several': ' (others of this amount were recorded on other documents)',
    together: ', and together exactly this amount was recorded',
  }[how];
  return {
    invoiceId: intent.invoiceId ?? intent.id,
    score: how === 'one of several' ? Math.round((score - 0.2) * 100) / 100 : score,
    reason: `It confirms the payment of ${amount} on ${intent.documentNumber} that was recorded for ${paymentDate.toISOString().slice(0, 10)}: ${why}${more}.`,
    confirmsTransactionId: transactionId,
  };
}
