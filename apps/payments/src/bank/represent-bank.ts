import { money, toMoneyJson } from '@kontor/money';
import type { BankAssignment, BankTransaction } from '../domain/bank/bank-transaction.js';
import type { BankAccount } from './bank-tables.js';

const day = (at: Date): string => at.toISOString().slice(0, 10);

/** A bank account as GET answers it. */
export const representAccount = (account: BankAccount) => ({
  id: account.id,
  name: account.name,
  iban: account.iban,
  bic: account.bic,
  currencyCode: account.currencyCode,
  createdAt: account.createdAt.toISOString(),
});
export type BankAccountView = ReturnType<typeof representAccount>;

/** A statement line as GET answers it. `amount` as money, `unassignedAmount` in minor units as the assignments answer. */
export const representLine = (line: BankTransaction, assignments: readonly BankAssignment[]) => ({
  id: line.id,
  bankAccountId: line.bankAccountId,
  status: line.status,
  amount: toMoneyJson(money(line.amountMinor, line.currencyCode)),
  currencyCode: line.currencyCode,
  unassignedAmount: Number(line.unassignedMinor),
  assignments: assignments.map((one) => ({ id: one.id, invoiceId: one.invoiceId, amount: Number(one.amountMinor) })),
  suggestions: line.status === 'STATUS_BOOKED' || line.status === 'STATUS_IGNORED' ? [] : line.suggestions,
  reference: line.reference,
  bookingDate: day(line.bookingDate),
  valueDate: day(line.valueDate),
  counterpartyName: line.counterpartyName,
  counterpartyIban: line.counterpartyIban,
  remittanceInformation: line.remittanceInformation,
  endToEndId: line.endToEndId,
  mandateReference: line.mandateReference,
  isReturn: line.isReturn,
  returnReason: line.returnReason,
  createdAt: line.createdAt.toISOString(),
});
export type BankTransactionView = ReturnType<typeof representLine>;
