import { type CustomerState, customerChangedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { customerNames } from '../domain/bank/customer-names.js';

/** Keeps what customers may be called on a statement, so that a payer is found who has never paid before. */
@EventConsumer()
export class OnCustomerNamed {
  @Consume(customerChangedV1, { batch: true })
  async handle(events: EventOf<typeof customerChangedV1>[], tx: TenantTx): Promise<void> {
    const latest = new Map(events.map(({ payload }) => [payload.id, payload.deleted ? null : (payload.state as CustomerState | null)]));
    const names = [...latest].flatMap(([id, state]) => (state ? customerNames(state).map((name) => ({ id, name })) : []));
    await tx.query(`DELETE FROM bank_payer WHERE tenant_id = $1 AND kind = 'customer' AND customer_id = ANY ($2::uuid[])`, [
      tx.tenantId,
      [...latest.keys()],
    ]);
    await tx.query(
      `INSERT INTO bank_payer (tenant_id, kind, value, customer_id) SELECT $1::uuid, 'customer', * FROM unnest($2::text[], $3::uuid[]) ON CONFLICT DO NOTHING`,
      [tx.tenantId, names.map(({ name }) => name), names.map(({ id }) => id)],
    );
  }
}
