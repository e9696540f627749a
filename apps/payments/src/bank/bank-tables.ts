import { Table } from '../db/table.js';
import type { BankAssignment, BankTransaction } from '../domain/bank/bank-transaction.js';

export interface BankAccount {
  readonly id: string;
  readonly name: string | null;
  readonly iban: string;
  readonly bic: string | null;
  readonly currencyCode: string;
  readonly createdAt: Date;
}

export const bankAccounts = new Table<BankAccount>('bank_account', {
  id: 'uuid',
  name: 'text',
  iban: 'text',
  bic: 'text',
  currencyCode: 'text',
  createdAt: 'timestamptz',
});

/** A booking as the bank made it, and what makes it the same in another file. */
export interface BankEntryRow {
  readonly id: string;
  readonly bankAccountId: string;
  readonly bookingDay: string;
  readonly amountMinor: bigint;
  readonly fingerprint: string;
  readonly occurrence: number;
  readonly format: 'camt053' | 'mt940' | 'json';
  readonly bankReference: string | null;
  readonly endToEndId: string | null;
  readonly counterpartyIban: string | null;
  readonly textKey: string;
  readonly importId: string;
}

export const bankEntries = new Table<BankEntryRow>('bank_entry', {
  id: 'uuid', bankAccountId: 'uuid', bookingDay: 'text', amountMinor: 'bigint', fingerprint: 'text', occurrence: 'integer', format: 'text',
  bankReference: 'text', endToEndId: 'text', counterpartyIban: 'text', textKey: 'text', importId: 'uuid',
}); // prettier-ignore

export const bankTransactions = new Table<BankTransaction>(
  'bank_transaction',
  {
    id: 'uuid', bankAccountId: 'uuid', entryId: 'uuid', importId: 'uuid', status: 'text', isReturn: 'boolean', amountMinor: 'bigint',
    unassignedMinor: 'bigint', currencyCode: 'text', bookingDate: 'timestamptz', valueDate: 'timestamptz', reference: 'text', endToEndId: 'text',
    mandateReference: 'text', counterpartyName: 'text', counterpartyIban: 'text', remittanceInformation: 'text', returnReason: 'text',
    chargesMinor: 'bigint', batchIds: 'jsonb', suggestions: 'jsonb', byHand: 'boolean', version: 'integer', createdAt: 'timestamptz',
  }, // prettier-ignore
  ['status', 'unassignedMinor', 'suggestions', 'byHand', 'version'],
);

export const bankAssignments = new Table<BankAssignment>(
  'bank_assignment',
  {
    id: 'uuid',
    bankTransactionId: 'uuid',
    invoiceId: 'uuid',
    customerId: 'uuid',
    transactionId: 'uuid',
    amountMinor: 'bigint',
    revokedAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  ['revokedAt'],
);
