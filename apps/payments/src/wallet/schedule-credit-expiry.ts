import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import { EXPIRE_CREDIT } from '../due-kinds.js';

/** Credit that ends falls due on its last day. */
export async function scheduleCreditExpiry(tx: TenantTx, books: Books): Promise<void> {
  await scheduleDueMany(
    tx,
    [...books.newLots].flatMap((lot) =>
      lot.expiresAt ? [{ kind: EXPIRE_CREDIT, ref: lot.id, dueAt: lot.expiresAt }] : [],
    ),
  );
}
