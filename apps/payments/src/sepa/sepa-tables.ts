import type { Day } from '@kontor/kernel';
import { Table } from '../db/table.js';
import type { SepaScheme, SequenceType } from '../domain/sepa-mandate.js';

/** Debits fetch money by a mandate, transfers pay out. */
export type SepaKind = 'debit' | 'transfer';

/**
 * `waiting` for a file; `exported`, the bank has it; `settled` by a line of the bank statement; `returned` by the payer's
 * bank; `cancelled` before it got into a file.
 */
export type SepaOrderStatus = 'waiting' | 'exported' | 'settled' | 'returned' | 'cancelled';

/** Money that goes to the bank by file. Amounts are euro cents. */
export interface SepaOrder {
  /** The transaction's id. */
  readonly id: string;
  readonly kind: SepaKind;
  readonly customerId: string;
  readonly intentId: string | null;
  /** The mandate's method; null for transfers. */
  readonly paymentMethodId: string | null;
  readonly amountMinor: bigint;
  /** What comes back with the bank's line; the transaction's id without its dashes. */
  readonly endToEndId: string;
  readonly remittance: string;
  /** The day that the payer was told; the file may name a later one when it is made late. */
  requestedOn: Day;
  readonly partyName: string;
  /** For transfers: the payee's account, sealed under the order's id. */
  readonly ibanSecret: string | null;
  readonly bic: string | null;
  /** Known when the order is in a file. */
  sequenceType: SequenceType | null;
  status: SepaOrderStatus;
  statusReason: string | null;
  fileId: string | null;
  paymentInformationId: string | null;
  readonly createdAt: Date;
}

export const sepaOrders = new Table<SepaOrder>(
  'sepa_order',
  {
    id: 'uuid', kind: 'text', customerId: 'uuid', intentId: 'uuid', paymentMethodId: 'uuid', amountMinor: 'bigint', endToEndId: 'text', remittance: 'text',
    requestedOn: 'text', partyName: 'text', ibanSecret: 'text', bic: 'text', sequenceType: 'text', status: 'text', statusReason: 'text', fileId: 'uuid',
    paymentInformationId: 'text', createdAt: 'timestamptz',
  }, // prettier-ignore
  ['requestedOn', 'sequenceType', 'status', 'statusReason', 'fileId', 'paymentInformationId'],
);

/** Orders of a file that the bank carries out together. */
export interface SepaFileBatch {
  readonly paymentInformationId: string;
  readonly requestedOn: Day;
  readonly sequenceType: SequenceType | null;
  readonly scheme: SepaScheme | null;
  readonly count: number;
  /** Cents, as text. */
  readonly sumMinor: string;
}

/** A file that was made. Its bytes are a blob, sealed under its id. */
export interface SepaFile {
  readonly id: string;
  readonly kind: SepaKind;
  readonly format: string;
  readonly messageId: string;
  readonly fileName: string;
  readonly orderCount: number;
  readonly sumMinor: bigint;
  readonly batches: readonly SepaFileBatch[];
  readonly blobKey: string;
  readonly createdAt: Date;
}

export const sepaFiles = new Table<SepaFile>('sepa_file', {
  id: 'uuid', kind: 'text', format: 'text', messageId: 'text', fileName: 'text', orderCount: 'integer', sumMinor: 'bigint', batches: 'jsonb',
  blobKey: 'text', createdAt: 'timestamptz',
}); // prettier-ignore

/** A transaction's id as banks carry it along. */
export const endToEndIdOf = (transactionId: string): string => transactionId.replaceAll('-', '');

/** The most that one SEPA payment may be: 999,999,999.99 EUR. */
export const SEPA_LIMIT_MINOR = 99_999_999_999n;
