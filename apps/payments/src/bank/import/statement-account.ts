import { DomainError } from '@kontor/kernel';
import { MAX_NAME, type RawStatement } from '../../domain/bank/import/statement.js';
import type { BankAccount } from '../accounts/bank-account.row.js';

/** @throws DomainError `account_mismatch` when the statement is about another account. */
export function refuseForeignAccount(account: BankAccount, statement: RawStatement): void {
  if (statement.account === null || isNamed(account, statement.account) || isOf(account.iban, statement.account))
    return;
  throw new DomainError('account_mismatch', {
    detail: `The ${statement.name} is about the account ${statement.account.slice(0, MAX_NAME)}, not about ${account.iban}.`,
  });
}

const isNamed = ({ accountIdentifications }: BankAccount, named: string): boolean =>
  accountIdentifications.some((known) => plainName(known) === plainName(named));
const plainName = (named: string): string => named.toUpperCase().replace(/[\s-]/g, '');

/**
 * The file names the account by its IBAN (perhaps with the currency behind it), by bank code and number, or by the
 * number.
 */
function isOf(iban: string, named: string): boolean {
  const plain = plainName(named);
  if (/^[A-Z]{2}\d{2}/.test(plain)) return plain === iban || plain.replace(/[A-Z]{3}$/, '') === iban;
  const [bank, number] = plain.includes('/') ? (plain.split('/', 2) as [string, string]) : ['', plain];
  const digits = number.replace(/[A-Z]{3}$/, '').replace(/^0+/, '');
  const rest = iban.slice(4);
  // A BIC in front says nothing that the IBAN could be compared with.
  return (
    digits.length >= 4 && rest.replace(/^0+/, '').endsWith(digits) && (!/^\d{5,8}$/.test(bank) || rest.startsWith(bank))
  );
}
