import type { PaymentMethodState } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { ReplicaSource } from '@kontor/service-kit';
import { methods, type PaymentMethod } from './payment-method.row.js';
import { methodEvent } from './method-events.js';

/** Answers the services that copy payment methods and miss one. */
@ReplicaSource('payment_method')
export class PaymentMethodReplica {
  async fetch(tx: Tx, id: string) {
    const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
    return method ? { version: method.version, data: stateOf(method) } : null;
  }

  async page(tx: Tx, after: string | null, limit: number) {
    const rows = await methods.where(
      tx,
      `deleted_at IS NULL AND ($2::uuid IS NULL OR id > $2::uuid) ORDER BY id LIMIT ${Number(limit)}`,
      [after],
    );
    return rows.map((method) => ({ id: method.id, version: method.version, data: stateOf(method) }));
  }
}

const stateOf = (method: PaymentMethod): PaymentMethodState =>
  methodEvent(method, 'updated').payload.state as PaymentMethodState;
