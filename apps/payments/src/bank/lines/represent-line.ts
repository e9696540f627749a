import { money, toMoneyJson } from '@kontor/money';
import { assignedTo, type BankAssignment, type BankTransaction } from '../../domain/bank/bank-transaction.js';
import type { BankTransactionView } from './bank-transaction.schema.js';

const day = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * A statement line as GET answers it. `amount` as money, `unassignedAmount` in minor units as the assignments answer.
 */
export const representLine = (line: BankTransaction, assignments: readonly BankAssignment[]): BankTransactionView => ({
  id: line.id,
  bankAccountId: line.bankAccountId,
  status: line.status,
  amount: toMoneyJson(money(line.amountMinor, line.currencyCode)),
  currencyCode: line.currencyCode,
  unassignedAmount: Number(line.unassignedMinor),
  assignments: assignedTo(assignments),
  suggestions: line.status === 'STATUS_BOOKED' || line.status === 'STATUS_IGNORED' ? [] : [...line.suggestions],
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
