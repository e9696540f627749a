import { type CustomerState, customerChangedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { customerNames } from '../../domain/bank/matching/customer-names.js';
import { bankPayers } from '../lines/bank-payer.row.js';

/** Keeps what customers may be called on a statement, so that a payer is found who has never paid before. */
@EventConsumer()
export class OnCustomerNamed {
  @Consume(customerChangedV1, { batch: true })
  async handle(events: EventOf<typeof customerChangedV1>[], tx: TenantTx): Promise<void> {
    const latest = new Map(
      events.map(({ payload }) => [payload.id, payload.deleted ? null : (payload.state as CustomerState | null)]),
    );
    const names = [...latest].flatMap(([id, state]) =>
      state ? customerNames(state).map((name) => ({ id, name })) : [],
    );
    await bankPayers.delete(tx, { kind: 'customer', customerId: [...latest.keys()] });
    await bankPayers.insertMissing(
      tx,
      names.map(({ id, name }) => ({ kind: 'customer', value: name, customerId: id })),
    );
  }
}
