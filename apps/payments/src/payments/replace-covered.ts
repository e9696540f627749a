import { newUuid } from '@kontor/kernel';
import { scheduleDue, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { methods, transactions } from '../db/tables.js';
import type { Books } from '../domain/books.js';
import { startCollection } from '../domain/collections.js';
import { isCovered, letGoOfCovered } from '../domain/covered-collections.js';
import type { PaymentTransaction } from '../domain/transaction.js';
import { CANCEL_CHARGE, COLLECT } from './due-kinds.js';

/**
 * Part of every decision about money: what is paid by now is not to be paid once more by a payer who still has to act.
 * Such a collection is let go and stopped at its gateway; what is still open is collected anew by the same method.
 */
export async function replaceCovered(tx: TenantTx, books: Books): Promise<void> {
  const waiting = await findWaiting(tx, books);
  const letGo = letGoOfCovered(books, waiting);
  if (letGo.length === 0) return;
  const usable = await methods.find(tx, 'id = ANY ($2::uuid[]) AND deleted_at IS NULL', [letGo.flatMap((t) => t.paymentMethodId ?? [])]);
  const collectionId = newUuid();
  let collects = false;
  for (const { intentId, paymentMethodId } of letGo) {
    const intent = books.intent(intentId as string);
    const method = usable.find(({ id }) => id === paymentMethodId);
    // The attempt goes on with the rest: it is no retry.
    intent.attempts = Math.max(intent.attempts - 1, 0);
    if (method && startCollection(books, intent, method, collectionId)) collects = true;
  }
  if (collects) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  const known = letGo.filter(({ reference }) => reference !== null);
  await scheduleDueMany(tx, known.map(({ id }) => ({ kind: CANCEL_CHARGE, ref: id, dueAt: new Date(), wall: true }))); // prettier-ignore
}

/** Collections that wait for the payer, of intents that this decision pays or whose payer is asked for only now. */
async function findWaiting(tx: TenantTx, books: Books): Promise<PaymentTransaction[]> {
  const asked = [...books.changedTransactions].filter(({ type, status }) => type === 'payment' && status === 'action_required');
  const concerned = new Set([...books.changedIntents, ...asked.flatMap(({ intentId }) => books.intents.get(intentId ?? '') ?? [])]);
  const covered = [...concerned].filter(isCovered).map(({ id }) => id);
  if (covered.length === 0) return [];
  const rows = await transactions.find(tx, `intent_id = ANY ($2::uuid[]) AND status IN ('pending', 'action_required') ORDER BY id`, [
    covered,
  ]);
  return rows.map((row) => books.transactions.get(row.id) ?? row).filter(({ status }) => status === 'action_required');
}
