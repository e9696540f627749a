import { formatMajor, money } from '@kontor/money';
import { stringify } from 'csv-stringify/sync';
import type { TransferRow } from './ledger.read.js';

const COLUMNS = [
  'bookedAt',
  'operation',
  'leg',
  'kind',
  'resolves',
  'debitAccount',
  'debitCustomer',
  'creditAccount',
  'creditCustomer',
  'amount',
  'currencyCode',
];

export const csvHead = (): string => `${COLUMNS.join(',')}\r\n`;

/** Lines of a CSV file (RFC 4180); text that a spreadsheet would read as a formula is defused. */
export const csvLines = (rows: readonly TransferRow[]): string =>
  stringify(
    rows.map((row) => [
      row.bookedAt.toISOString(),
      row.operation,
      row.leg,
      row.kind,
      row.resolves ?? '',
      row.debitCode,
      row.debitCustomerId ?? '',
      row.creditCode,
      row.creditCustomerId ?? '',
      formatMajor(money(row.amount, row.currencyCode)),
      row.currencyCode,
    ]),
    { record_delimiter: 'windows', escape_formulas: true },
  );
