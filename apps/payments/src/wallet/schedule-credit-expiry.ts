import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import { EXPIRE_CREDIT } from '../due-kinds.js';

/** Credit that ends falls due on its last day; what is returned to a lot that had ended, at once. */
export async function scheduleCreditExpiry(tx: TenantTx, books: Books): Promise<void> {
  const hasEnded = [...books.changedLots].filter(
    (lot) => lot.remainingMinor > 0n && lot.expiresAt !== null && lot.expiresAt <= books.now,
  );
  await scheduleDueMany(
    tx,
    [...books.newLots, ...hasEnded].flatMap((lot) =>
      lot.expiresAt ? [{ kind: EXPIRE_CREDIT, ref: lot.id, dueAt: lot.expiresAt }] : [],
    ),
  );
}
