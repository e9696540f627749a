import type { LotUse, Origin } from './lots.js';

export type WalletTransactionType =
  | 'top_up'
  | 'overpayment'
  | 'credit_note'
  | 'invoice_payment'
  | 'invoice_payment_reversal'
  | 'adjustment'
  | 'expiry'
  | 'payout';

/** A customer's credit in one currency. */
export interface Wallet {
  readonly id: string;
  readonly customerId: string;
  readonly currencyCode: string;
  /** Minor units, never negative; equals the sum of its lots and the ledger's balance. */
  balanceMinor: bigint;
  version: number;
  /** Counts its transactions and lots: their order. */
  sequence: number;
  readonly createdAt: Date;
}

/** One change of a wallet. */
export interface WalletTransaction {
  readonly id: string;
  readonly walletId: string;
  readonly customerId: string;
  readonly currencyCode: string;
  readonly type: WalletTransactionType;
  /** Signed minor units. */
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
  readonly sequence: number;
  readonly intentId: string | null;
  readonly invoiceId: string | null;
  /** The payment that brought it or took it back. */
  readonly transactionId: string | null;
  /** Of the money behind it: for later pay-outs. @see docs/rules/payments.md#origin-of-credit */
  readonly origin: Origin;
  readonly description: string | null;
  readonly uses: readonly LotUse[];
  readonly createdAt: Date;
}

export const NO_ORIGIN: Origin = { paymentMethodId: null, gatewayName: null, reference: null };

/** Wallets are one per customer and currency. */
export const walletKey = (customerId: string, currencyCode: string): string => `${customerId}/${currencyCode}`;
