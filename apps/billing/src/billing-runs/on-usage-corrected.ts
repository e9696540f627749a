import { type EventOf, type TenantState, usageCorrectionV1 } from '@kontor/contracts';
import { dayOf } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { FALLBACK_ZONE } from '../customers/create-customer.js';
import { rescheduleAccounts } from './accounts.js';

/**
 * Usage of a closed period has changed: it is corrected with the account's next billing, or by the next run when nothing else of
 * the account falls due any more. A closing whose lines are not stored yet is remembered too.
 */
@EventConsumer()
export class OnUsageCorrected {
  constructor(private readonly replicas: Replicas) {}

  @Consume(usageCorrectionV1, { batch: true })
  async handle(events: EventOf<typeof usageCorrectionV1>[], tx: TenantTx): Promise<void> {
    const customers = await tx.query<{ id: string; zone: string }>(
      `select a.customer_id as id, c.time_zone as zone from billing_account a join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
       where a.tenant_id = $1 and a.customer_id = any($2::uuid[]) order by a.customer_id for update of a`,
      [tx.tenantId, events.map(({ payload }) => payload.customerId)],
    );
    const zones = new Map(customers.map(({ id, zone }) => [id, zone]));
    const mine = events.map(({ payload }) => payload).filter(({ customerId }) => zones.has(customerId));
    if (mine.length === 0) return;
    await tx.query(
      `insert into usage_correction (tenant_id, closing_id, customer_id, item_id, marked_on, created_at)
       select $1, x.*, $6 from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as x on conflict (tenant_id, closing_id) do nothing`,
      [
        tx.tenantId,
        mine.map(({ closingId }) => closingId),
        mine.map(({ customerId }) => customerId),
        mine.map(({ itemId }) => itemId),
        mine.map(({ customerId }) => dayOf(tx.now, zones.get(customerId) as string)),
        tx.now,
      ],
    );
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    await rescheduleAccounts(tx, [...zones.keys()], tenant?.timeZone ?? FALLBACK_ZONE);
  }
}
