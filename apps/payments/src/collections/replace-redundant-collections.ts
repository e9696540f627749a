import { newUuid } from '@kontor/kernel';
import { scheduleDue, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { methods } from '../payment-methods/payment-method.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { Books } from '../domain/customer-books/books.js';
import { collectRest } from '../domain/collections/collections.js';
import { isCovered, cancelRedundantCollections } from '../domain/collections/redundant-collections.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { CANCEL_CHARGE, COLLECT } from '../due-kinds.js';

/**
 * Part of every decision about money: what is paid by now is not to be paid once more by a payer who still has to act.
 * Such a collection is cancelled and stopped at its gateway; what is still open is collected anew by the same method.
 */
export async function replaceRedundantCollections(tx: TenantTx, books: Books): Promise<void> {
  const waiting = await findWaiting(tx, books);
  const cancelled = cancelRedundantCollections(books, waiting);
  if (cancelled.length === 0) return;
  const usable = await methods.where(tx, 'id = ANY ($2::uuid[]) AND deleted_at IS NULL', [
    cancelled.flatMap((t) => t.paymentMethodId ?? []),
  ]);
  const collectionId = newUuid();
  let collects = false;
  for (const { intentId, paymentMethodId } of cancelled) {
    const method = usable.find(({ id }) => id === paymentMethodId);
    if (collectRest(books, books.intent(intentId as string), method, collectionId)) collects = true;
  }
  if (collects) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  const known = cancelled.filter(({ reference }) => reference !== null);
  await scheduleDueMany(
    tx,
    known.map(({ id }) => ({ kind: CANCEL_CHARGE, ref: id, dueAt: new Date(), wall: true })),
  );
}

/** Collections that wait for the payer, of intents that this decision pays or whose payer is asked for only now. */
async function findWaiting(tx: TenantTx, books: Books): Promise<PaymentTransaction[]> {
  const asked = [...books.changedTransactions].filter(
    ({ type, status }) => type === 'payment' && status === 'action_required',
  );
  const concerned = new Set([
    ...books.changedIntents,
    ...asked.flatMap(({ intentId }) => books.intents.get(intentId ?? '') ?? []),
  ]);
  const covered = [...concerned].filter(isCovered).map(({ id }) => id);
  if (covered.length === 0) return [];
  const rows = await transactions.where(
    tx,
    `intent_id = ANY ($2::uuid[]) AND status IN ('pending', 'action_required') ORDER BY id`,
    [covered],
  );
  return rows.map((row) => books.transactions.get(row.id) ?? row).filter(({ status }) => status === 'action_required');
}
