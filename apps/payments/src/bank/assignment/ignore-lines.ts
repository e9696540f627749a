import { invalidTransition, unknownReference } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { representLine } from '../lines/represent-line.js';
import { saveLines } from '../lines/save-lines.js';
import type { BankTransactionView } from '../lines/bank-transaction.schema.js';

/** Money that is not about invoices (rent, a private deposit): nobody is asked about it again. It stays in suspense. */
@Injectable()
export class IgnoreLines {
  constructor(private readonly database: Database) {}

  /**
   * All of them or none.
   * @throws DomainError `unknown_reference`, `invalid_status_transition` (something is assigned already)
   */
  execute(tenantId: string, ids: readonly string[]): Promise<{ data: BankTransactionView[] }> {
    return this.database.tenant(tenantId, async (tx) => {
      const lines = await lockLines(tx, ids);
      const changed = lines.filter((line) => line.status !== 'STATUS_IGNORED');
      for (const line of changed) {
        if (line.unassignedMinor !== line.amountMinor)
          throw invalidTransition('bank transaction', line.status, 'ignore');
        line.status = 'STATUS_IGNORED';
      }
      await saveLines(tx, changed, []);
      return { data: lines.map((line) => representLine(line, [])) };
    });
  }
}

/** Lines in the order of the request, locked in id order. @throws DomainError `unknown_reference` */
export async function lockLines(tx: TenantTx, ids: readonly string[]): Promise<BankTransaction[]> {
  const found = await bankTransactions.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE', [ids]);
  const byId = new Map(found.map((line) => [line.id, line]));
  return ids.map((id) => {
    const line = byId.get(id);
    if (!line) throw unknownReference('transactionIds', 'bank transaction');
    return line;
  });
}
