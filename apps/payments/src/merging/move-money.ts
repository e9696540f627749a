import type { CheckMergeRequest, MergeConflict, MovedObjects } from '@kontor/contracts';
import {
  cancelDue,
  type CustomerMerge,
  MERGE_HOLDS,
  moveCustomerRows,
  returnCustomerRows,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockBooks, lockCustomers } from '../customer-books/lock-customers.js';
import { APPLY_CREDIT, NEW_DEFAULT } from '../due-kinds.js';
import { keepCredit } from './keep-credit.js';
import { mergeConflicts, walletsTooLarge } from './merge-conflicts.js';
import { moveBalances } from './move-balances.js';
import { keepOneDefault, publishMoved, publishReturned } from './move-methods.js';
import { moveWallets } from './move-wallets.js';
import { returnBalances } from './return-balances.js';
import { returnJoinedWallets } from './return-wallets.js';
import { isCreditMixed, undoConflicts } from './undo-conflicts.js';

/** Money that is on its way keeps its customer until it has arrived. */
const UNDER_WAY = `
  SELECT 1 FROM payment_transaction
    WHERE tenant_id = $1 AND customer_id = $2 AND status IN ('pending', 'action_required')
  UNION ALL SELECT 1 FROM payment_intent
    WHERE tenant_id = $1 AND customer_id = $2 AND (pending_minor > 0 OR status = 'processing')
  LIMIT 1`;

/**
 * What a merged customer owes, has and pays with goes to the other one: its balances by a transfer of the ledger, everything else
 * by its rows. Its books are closed.
 */
@Injectable()
export class MoveMoney extends CustomerMover {
  readonly rows = [
    { object: 'payment_method', table: 'payment_method' },
    { object: 'payment_intent', table: 'payment_intent' },
    { object: 'payment_transaction', table: 'payment_transaction' },
    { object: 'wallet', table: 'wallet' },
    { object: 'wallet_transaction', table: 'wallet_transaction' },
    { object: 'auto_top_up_rule', table: 'auto_top_up_rule' },
    { object: 'top_up', table: 'top_up' },
    { object: 'sepa_order', table: 'sepa_order' },
    { object: 'bank_assignment', table: 'bank_assignment' },
    { object: 'payment_method_link', table: 'method_link' },
    { object: 'payment_method_registration', table: 'method_registration' },
  ];

  override conflicts(tx: TenantTx, request: CheckMergeRequest): Promise<MergeConflict[]> {
    return mergeConflicts(tx, request, UNDER_WAY);
  }

  override async move(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    const { sourceCustomerId, survivorId } = merge;
    await lockCustomers(tx, [sourceCustomerId, survivorId]);
    if ((await tx.query(UNDER_WAY, [tx.tenantId, sourceCustomerId])).length > 0) return 'busy';
    // Credit that came since it was looked at has to be used first.
    if ((await walletsTooLarge(tx, { sourceCustomerId, targetCustomerId: survivorId })).length > 0) return 'busy';
    await moveBalances(tx, merge);
    await keepOneDefault(tx, merge);
    await dropSecondRules(tx, merge);
    await moveWallets(tx, merge);
    const moved = await moveCustomerRows(tx, merge, this.rows);
    await movePayers(tx, merge);
    await publishMoved(tx, merge);
    await tx.query(
      `UPDATE customer_books SET merged_into = $3 WHERE tenant_id = $1 AND (customer_id = $2 OR merged_into = $2)`,
      [tx.tenantId, sourceCustomerId, survivorId],
    );
    for (const kind of [NEW_DEFAULT, APPLY_CREDIT]) await cancelDue(tx, kind, sourceCustomerId);
    // Credit of one and invoices of the other have met.
    await scheduleDue(tx, { kind: APPLY_CREDIT, ref: survivorId, dueAt: tx.now });
    return moved;
  }

  override undoConflicts(tx: TenantTx, merge: CustomerMerge): Promise<MergeConflict[]> {
    return undoConflicts(tx, merge, UNDER_WAY);
  }

  override async undo(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    const { sourceCustomerId, survivorId } = merge;
    await lockBooks(tx, [sourceCustomerId, survivorId]);
    if ((await tx.query(UNDER_WAY, [tx.tenantId, survivorId])).length > 0) return 'busy';
    // Since it was looked at: what is undone elsewhere by now is not held up for good.
    if (await isCreditMixed(tx, merge)) await keepCredit(tx, merge);
    await returnJoinedWallets(tx, merge);
    const returned = await returnCustomerRows(tx, merge, this.rows);
    await returnBalances(tx, merge);
    await publishReturned(tx, merge);
    await returnPayers(tx, merge);
    await openBooks(tx, merge);
    await scheduleDue(tx, { kind: APPLY_CREDIT, ref: sourceCustomerId, dueAt: tx.now });
    return returned;
  }
}

/** One rule fills a wallet: of two that were made since it was looked at, the survivor's stays. */
const dropSecondRules = (tx: TenantTx, { sourceCustomerId, survivorId }: CustomerMerge): Promise<unknown> =>
  tx.query(
    `DELETE FROM auto_top_up_rule s USING auto_top_up_rule t
     WHERE s.tenant_id = $1 AND s.customer_id = $2 AND t.tenant_id = $1 AND t.customer_id = $3
       AND t.currency_code = s.currency_code`,
    [tx.tenantId, sourceCustomerId, survivorId],
  );

/** Who paid for the one may pay for the other. */
async function movePayers(tx: TenantTx, { mergeId, sourceCustomerId, survivorId }: CustomerMerge): Promise<void> {
  await tx.query(
    `INSERT INTO bank_payer (tenant_id, kind, value, customer_id, merge_id)
     SELECT tenant_id, kind, value, $3, $4 FROM bank_payer WHERE tenant_id = $1 AND customer_id = $2
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, sourceCustomerId, survivorId, mergeId],
  );
  await tx.query('DELETE FROM bank_payer WHERE tenant_id = $1 AND customer_id = $2', [tx.tenantId, sourceCustomerId]);
}

async function returnPayers(tx: TenantTx, { mergeId, sourceCustomerId }: CustomerMerge): Promise<void> {
  await tx.query(
    `INSERT INTO bank_payer (tenant_id, kind, value, customer_id)
     SELECT tenant_id, kind, value, $3 FROM bank_payer WHERE tenant_id = $1 AND merge_id = $2
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, mergeId, sourceCustomerId],
  );
  await tx.query('DELETE FROM bank_payer WHERE tenant_id = $1 AND merge_id = $2', [tx.tenantId, mergeId]);
}

/** The books of a customer, and of those who were merged into it before. */
async function openBooks(tx: TenantTx, { sourceCustomerId, survivorId }: CustomerMerge): Promise<void> {
  await tx.query('UPDATE customer_books SET merged_into = NULL WHERE tenant_id = $1 AND customer_id = $2', [
    tx.tenantId,
    sourceCustomerId,
  ]);
  await tx.query(
    `UPDATE customer_books b SET merged_into = m.survivor_id
     FROM customer_merge m
     WHERE b.tenant_id = $1 AND b.merged_into = $2 AND m.tenant_id = $1 AND m.source_customer_id = b.customer_id
       AND m.survivor_id = $3 AND m.${MERGE_HOLDS}`,
    [tx.tenantId, survivorId, sourceCustomerId],
  );
}
