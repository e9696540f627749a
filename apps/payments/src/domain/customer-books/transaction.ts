/** `payment` in, `refund` out, `return` of an earlier payment. */
export type TransactionType = 'payment' | 'refund' | 'return';

/** `pending` and `action_required` wait for the gateway or the payer; `returned`: a payment that a return took back. */
export type TransactionStatus = 'pending' | 'action_required' | 'succeeded' | 'failed' | 'returned';

/** Money that moved, or is about to. Amounts are minor units and never negative: the type gives the direction. */
export interface PaymentTransaction {
  readonly id: string;
  readonly customerId: string;
  readonly type: TransactionType;
  status: TransactionStatus;
  readonly currencyCode: string;
  readonly amountMinor: bigint;
  /** Reported by the caller; booked only for returns, and for pay-outs that came back, where the bank charges it. */
  feeMinor: bigint | null;
  readonly paymentMethodId: string | null;
  readonly gatewayName: string | null;
  paymentDate: Date;
  /** The gateway's or bank's name of it. */
  reference: string | null;
  readonly description: string | null;
  /** The caller's id of a recorded payment: the same one is recorded once. */
  readonly operationId: string | null;
  /** The batch in which the gateway is asked; null for money that came by itself. */
  readonly collectionId: string | null;
  /**
   * The intent that it is for; null where there are several: its allocations show them. A collection has none before
   * there is money.
   */
  readonly intentId: string | null;
  /** For a return: the payment that went back. */
  readonly returnedTransactionId: string | null;
  /** For a refund: the payment that is refunded, where it goes the way it came. */
  readonly refundedTransactionId?: string | null;
  /** The statement line that shows this money. */
  readonly bankTransactionId?: string | null;
  failReason: string | null;
  readonly createdAt: Date;
}

/**
 * Why an intent's open amount changed. `to_wallet`: excess or a credit note became credit; `from_wallet`: that credit
 * was withdrawn; `credit`, `credit_reversed`: credit paid a document, or was restored; `credit_note`: a credit note
 * met an invoice; `write_off`: it was given up.
 */
export type AllocationKind =
  | 'payment'
  | 'payout'
  | 'return'
  | 'credit'
  | 'credit_reversed'
  | 'to_wallet'
  | 'from_wallet'
  | 'credit_note'
  | 'write_off';

/** One change of an intent's open amount. `open = amount − sum of all allocations`. */
export interface Allocation {
  readonly id: string;
  readonly intentId: string;
  readonly kind: AllocationKind;
  /** Signed minor units: positive lowers the open amount. */
  readonly amountMinor: bigint;
  readonly transactionId: string | null;
  readonly walletTransactionId: string | null;
  /** The other side of a `credit_note`. */
  readonly counterIntentId: string | null;
  readonly createdAt: Date;
}
