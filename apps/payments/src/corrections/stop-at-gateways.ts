import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { CANCEL_CHARGE } from '../due-kinds.js';

/** Released collections that a gateway knows of are stopped there, on real time, after the commit. */
export const stopAtGateways = (tx: TenantTx, released: readonly PaymentTransaction[]): Promise<void> =>
  scheduleDueMany(
    tx,
    released
      .filter(({ reference }) => reference !== null)
      .map(({ id }) => ({ kind: CANCEL_CHARGE, ref: id, dueAt: new Date(), wall: true })),
  );
