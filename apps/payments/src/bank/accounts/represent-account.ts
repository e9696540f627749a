import type { BankAccount } from './bank-account.row.js';
import type { BankAccountView } from './bank-account.schema.js';

/** A bank account as GET answers it. */
export const representAccount = (account: BankAccount): BankAccountView => ({
  id: account.id,
  name: account.name,
  iban: account.iban,
  bic: account.bic,
  currencyCode: account.currencyCode,
  accountIdentifications: [...account.accountIdentifications],
  createdAt: account.createdAt.toISOString(),
});
