import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { currencyCodes, exponentOf } from '@kontor/money';
import { type ListQuery, listRows, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { bankAssignments } from './bank-assignment.row.js';
import { bankTransactions } from './bank-transaction.row.js';
import { representLine } from './represent-line.js';
import type { BankTransactionView } from './bank-transaction.schema.js';

const READ_ONLY = { readOnly: true };

/** An amount in major units of its currency. */
const MAJOR = `t.amount_minor / ${minorUnits()}`;

const LISTED = {
  table: bankTransactions,
  columns: {
    status: 'status',
    bankAccountId: { sql: 'bank_account_id', type: 'uuid' as const },
    counterpartyIban: 'counterparty_iban',
    endToEndId: 'end_to_end_id',
    reference: 'reference',
    currencyCode: 'currency_code',
    isReturn: { sql: 'is_return', type: 'when' as const },
    // As its index has them.
    bookingDate: { sql: 'booking_date', filled: false },
    valueDate: 'value_date',
  },
  search: ['t.counterparty_name', 't.remittance_information', 't.end_to_end_id', 't.reference'],
  defaultOrder: 'id DESC',
};

/** The minor units of one major unit, by currency. */
function minorUnits(): string {
  const others = currencyCodes().filter((code) => exponentOf(code) !== 2);
  const cases = [...Map.groupBy(others, exponentOf)].map(
    ([exponent, codes]) =>
      `WHEN t.currency_code IN (${codes.map((code) => `'${code}'`).join(', ')}) THEN ${10 ** exponent}`,
  );
  return `(CASE ${cases.join(' ')} ELSE 100 END)::numeric`;
}

@Injectable()
export class ReadLines {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  line(tenantId: string, id: string): Promise<BankTransactionView> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [view] = await readLines(tx, [id]);
        if (!view) throw notFound('The bank transaction');
        return view;
      },
      READ_ONLY,
    );
  }

  list(tenantId: string, list: ListQuery) {
    const { amount = [], ...filters } = list.filters;
    const { minAmount, maxAmount } = list.others;
    const condition = (bind: (value: unknown) => string): string =>
      [
        amount.length > 0 && `${MAJOR} = ANY(${bind(amount)}::numeric[])`,
        minAmount !== undefined && `${MAJOR} >= ${bind(minAmount)}::numeric`,
        maxAmount !== undefined && `${MAJOR} <= ${bind(maxAmount)}::numeric`,
      ]
        .filter(Boolean)
        .join(' AND ');
    const isAsked = amount.length > 0 || minAmount !== undefined || maxAmount !== undefined;
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, { ...list, filters }, isAsked ? { ...LISTED, condition } : LISTED);
        return page(await represent(tx, rows), total, list);
      },
      READ_ONLY,
    );
  }
}

/** Lines with their assignments, in the order of the ids. */
export async function readLines(tx: TenantTx, ids: readonly string[]): Promise<BankTransactionView[]> {
  const rows = await bankTransactions.findByIds(tx, ids);
  return represent(
    tx,
    ids.flatMap((id) => rows.find((row) => row.id === id) ?? []),
  );
}

async function represent(tx: TenantTx, rows: readonly BankTransaction[]): Promise<BankTransactionView[]> {
  if (rows.length === 0) return [];
  const assignments = await bankAssignments.where(
    tx,
    'bank_transaction_id = ANY ($2::uuid[]) AND revoked_at IS NULL ORDER BY id',
    [rows.map((row) => row.id)],
  );
  return rows.map((row) =>
    representLine(
      row,
      assignments.filter((assignment) => assignment.bankTransactionId === row.id),
    ),
  );
}
