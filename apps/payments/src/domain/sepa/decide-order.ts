import { sequenceAfter, type SequenceType } from '../payment-methods/sepa-mandate.js';

/** What is known of a waiting debit when a file is made. Amounts are cents. */
export interface DebitFacts {
  readonly amountMinor: bigint;
  /** Of its transaction: anything but `pending` was decided meanwhile. */
  readonly transactionStatus: string;
  /** What is open of its intent, this debit included. */
  readonly openMinor: bigint;
  readonly method: {
    readonly status: string;
    readonly enabled: boolean;
    readonly removed: boolean;
    readonly statusReason: string | null;
    readonly nextSequence: SequenceType | null;
  } | null;
}

/**
 * What becomes of it. `export`: it goes into the file under this sequence. `drop`: its transaction is decided already.
 * `cancel`: paid meanwhile by other money; `rest` means that some of it is still open and is to be collected anew.
 * `decline`: the mandate cannot be used any more.
 */
export type OrderDecision =
  | { readonly kind: 'export'; readonly sequenceType: SequenceType; readonly next: SequenceType | null }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cancel'; readonly rest: boolean }
  | { readonly kind: 'decline'; readonly reason: string };

export function decideDebit(facts: DebitFacts): OrderDecision {
  if (facts.transactionStatus !== 'pending') return { kind: 'drop' };
  if (facts.openMinor < facts.amountMinor) return { kind: 'cancel', rest: facts.openMinor > 0n };
  const { method } = facts;
  if (!method || method.removed) return { kind: 'decline', reason: 'payment_method_removed' };
  if (!method.enabled) return { kind: 'decline', reason: 'payment_method_disabled' };
  if (method.status !== 'active')
    return { kind: 'decline', reason: method.statusReason ?? `payment_method_${method.status}` };
  if (method.nextSequence === null) return { kind: 'decline', reason: 'mandate_used_up' };
  return { kind: 'export', sequenceType: method.nextSequence, next: sequenceAfter(method.nextSequence) };
}

/** What is known of a waiting transfer when a file is made. Amounts are cents. */
export interface TransferFacts {
  readonly transactionStatus: string;
  /** What its document owes to the customer. */
  readonly owedMinor: bigint;
  /** What is on its way of that, this transfer included. */
  readonly pendingMinor: bigint;
}

/** `cancel`: more is on its way than is owed, because somebody has paid it out otherwise. */
export function decideTransfer({ transactionStatus, owedMinor, pendingMinor }: TransferFacts): OrderDecision {
  if (transactionStatus !== 'pending') return { kind: 'drop' };
  if (pendingMinor > owedMinor) return { kind: 'cancel', rest: owedMinor > 0n };
  return { kind: 'export', sequenceType: 'OOFF', next: null };
}
