import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { transactions } from '../db/tables.js';
import { type GatewayOutcome, settleCollection } from '../domain/collections.js';

/** Books what gateways answered, from whichever side the answer came: the call itself, a call-back, or the sweeper. */
@Injectable()
export class SettleCollections {
  constructor(private readonly replicas: Replicas) {}

  /** Answers for collections that are decided already change nothing. Returns how many changed. */
  async execute(tx: TenantTx, outcomes: ReadonlyMap<string, GatewayOutcome>): Promise<number> {
    const ids = [...outcomes.keys()];
    const owners = await tx.query<{ customerId: string }>(
      'SELECT DISTINCT customer_id AS "customerId" FROM payment_transaction WHERE tenant_id = $1 AND id = ANY ($2::uuid[])',
      [tx.tenantId, ids],
    );
    const customerIds = owners.map((row) => row.customerId);
    await lockCustomers(tx, customerIds);
    const rows = await transactions.find(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [ids]);
    const intentIds = rows.flatMap((row) => row.intentId ?? []);
    const books = await loadBooks(this.replicas, tx, {
      customerIds,
      intentIds,
      transactions: rows,
      crediting: await this.overpaid(tx, ids),
    });
    let changed = 0;
    for (const row of rows) if (settleCollection(books, row, outcomes.get(row.id) as GatewayOutcome)) changed += 1;
    if (changed > 0) await saveBooks(tx, books);
    return changed;
  }

  /** Customers whose payment may exceed what is open by now, so that credit may arise. */
  private async overpaid(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ customerId: string }>(
      `SELECT DISTINCT t.customer_id AS "customerId" FROM payment_transaction t, LATERAL (
         SELECT i.open_minor FROM payment_intent i WHERE i.tenant_id = $1 AND i.id = t.intent_id OFFSET 0) i
       WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) AND t.amount_minor > i.open_minor`,
      [tx.tenantId, ids],
    );
    return rows.map((row) => row.customerId);
  }
}
