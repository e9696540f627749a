import type { Intent } from '../domain/intent.js';
import type { Lot } from '../domain/lots.js';
import type {
  AccountDetails,
  CardDetails,
  MethodSource,
  OnlineWalletDetails,
  PaymentMethodStatus,
  PaymentMethodType,
} from '../domain/payment-method.js';
import type { Mandate, SequenceType } from '../domain/sepa-mandate.js';
import type { Allocation, PaymentTransaction } from '../domain/transaction.js';
import type { Wallet, WalletTransaction } from '../domain/wallet.js';
import { Table } from './table.js';

/** A customer's way to pay, as stored. */
export interface PaymentMethod {
  readonly id: string;
  readonly customerId: string;
  readonly gatewayName: string;
  readonly type: PaymentMethodType | null;
  /** Its id at the gateway. */
  referenceId: string | null;
  isDefault: boolean;
  status: PaymentMethodStatus;
  readonly source: MethodSource;
  enabled: boolean;
  /** False: for one payment only, never charged again by itself. */
  readonly futureUsageAllowed: boolean;
  name: string | null;
  readonly creationDate: Date;
  expirationDate: Date | null;
  /** Removed methods stay for the transactions that name them. */
  deletedAt: Date | null;
  version: number;
  details: MethodDetails;
  /** The account's number, sealed under the method's id. */
  readonly secret: string | null;
  readonly mandateReference: string | null;
  /** Kind of the mandate's next debit; null without a mandate, or when it is used up. */
  nextSequence: SequenceType | null;
  /** When a debit of the mandate last went to the bank. */
  mandateUsedAt: Date | null;
  /** Why it is not active, as a word of the gateway or of ours. */
  statusReason: string | null;
}

/** What may be shown of the card, account or online wallet behind a method. */
export interface MethodDetails {
  readonly card?: CardDetails | null;
  readonly account?: AccountDetails | null;
  readonly onlineWallet?: OnlineWalletDetails | null;
  readonly mandate?: Mandate | null;
}

export const methods = new Table<PaymentMethod>(
  'payment_method',
  {
    id: 'uuid', customerId: 'uuid', gatewayName: 'text', type: 'text', referenceId: 'text', isDefault: 'boolean', status: 'text', source: 'text',
    enabled: 'boolean', futureUsageAllowed: 'boolean', name: 'text', creationDate: 'timestamptz', expirationDate: 'timestamptz',
    deletedAt: 'timestamptz', version: 'integer', details: 'jsonb', secret: 'text', mandateReference: 'text', nextSequence: 'text',
    mandateUsedAt: 'timestamptz', statusReason: 'text',
  }, // prettier-ignore
  ['referenceId', 'isDefault', 'status', 'enabled', 'name', 'expirationDate', 'deletedAt', 'version', 'details', 'nextSequence', 'mandateUsedAt', 'statusReason'], // prettier-ignore
);

export const intents = new Table<Intent>(
  'payment_intent',
  {
    id: 'uuid', invoiceId: 'uuid', topUpId: 'uuid', referencedInvoiceId: 'uuid', customerId: 'uuid', documentNumber: 'text', documentType: 'text', currencyCode: 'text',
    amountMinor: 'bigint', openMinor: 'bigint', pendingMinor: 'bigint', creditAppliedMinor: 'bigint', status: 'text', paymentMethodId: 'uuid',
    dueAt: 'timestamptz', paidAt: 'timestamptz', failReason: 'text', attempts: 'integer', firstFailedAt: 'timestamptz', nextRetryAt: 'timestamptz',
    methodIsNamed: 'boolean', version: 'integer', createdAt: 'timestamptz',
  }, // prettier-ignore
  ['openMinor', 'pendingMinor', 'creditAppliedMinor', 'status', 'paymentMethodId', 'paidAt', 'failReason', 'attempts', 'firstFailedAt', 'nextRetryAt', 'methodIsNamed', 'version'], // prettier-ignore
);

export const transactions = new Table<PaymentTransaction>(
  'payment_transaction',
  {
    id: 'uuid', customerId: 'uuid', type: 'text', status: 'text', currencyCode: 'text', amountMinor: 'bigint', feeMinor: 'bigint',
    paymentMethodId: 'uuid', gatewayName: 'text', paymentDate: 'timestamptz', reference: 'text', description: 'text', operationId: 'text',
    collectionId: 'uuid', intentId: 'uuid', returnedTransactionId: 'uuid', refundedTransactionId: 'uuid', bankTransactionId: 'uuid', failReason: 'text',
    createdAt: 'timestamptz',
  }, // prettier-ignore
  ['status', 'paymentDate', 'reference', 'failReason'],
);

export const allocations = new Table<Allocation>('payment_allocation', {
  id: 'uuid', intentId: 'uuid', kind: 'text', amountMinor: 'bigint', transactionId: 'uuid', walletTransactionId: 'uuid', counterIntentId: 'uuid',
  createdAt: 'timestamptz',
}); // prettier-ignore

export const wallets = new Table<Wallet>(
  'wallet',
  {
    id: 'uuid',
    customerId: 'uuid',
    currencyCode: 'text',
    balanceMinor: 'bigint',
    version: 'integer',
    sequence: 'integer',
    createdAt: 'timestamptz',
  },
  ['balanceMinor', 'version', 'sequence'],
);

export const walletTransactions = new Table<WalletTransaction>('wallet_transaction', {
  id: 'uuid', walletId: 'uuid', customerId: 'uuid', currencyCode: 'text', type: 'text', amountMinor: 'bigint', balanceAfterMinor: 'bigint',
  sequence: 'integer', intentId: 'uuid', invoiceId: 'uuid', transactionId: 'uuid', origin: 'jsonb', description: 'text', uses: 'jsonb',
  createdAt: 'timestamptz',
}); // prettier-ignore

export const lots = new Table<Lot>(
  'wallet_lot',
  {
    id: 'uuid', walletId: 'uuid', sourceTransactionId: 'uuid', sourceIntentId: 'uuid', origin: 'jsonb', promotional: 'boolean',
    expiresAt: 'timestamptz', amountMinor: 'bigint', remainingMinor: 'bigint', ordinal: 'integer', createdAt: 'timestamptz',
  }, // prettier-ignore
  ['remainingMinor'],
);
