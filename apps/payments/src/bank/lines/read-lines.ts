import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { countMatching, type ListQuery, listSql, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { bankAssignments } from './bank-assignment.row.js';
import { bankTransactions } from './bank-transaction.row.js';
import { representLine } from './represent-line.js';
import type { BankTransactionView } from './bank-transaction.schema.js';

const READ_ONLY = { readOnly: true };

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
    const columns = {
      status: 'status',
      bankAccount: { sql: 'bank_account_id', type: 'uuid' as const },
      counterpartyIban: 'counterparty_iban',
      endToEndId: 'end_to_end_id',
      isReturn: { sql: 'is_return', type: 'when' as const },
      bookingDate: 'booking_date',
    };
    const q = listSql(list, { columns, usedParams: 1, defaultOrder: 'id DESC' });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const from = `FROM bank_transaction WHERE tenant_id = $1 AND ${q.where}`;
        const total = await countMatching(tx, from, [tx.tenantId, ...q.params]);
        const rows = await bankTransactions.page(tx, q.where, q.params, q);
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
