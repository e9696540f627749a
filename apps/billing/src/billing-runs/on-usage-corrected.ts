import { type EventOf, usageCorrectionV1 } from '@kontor/contracts';
import { dayOf } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, survivorsOf, type TenantTx } from '@kontor/persistence';
import { tenantZone } from '../settings/tenant.js';
import { rescheduleAccounts } from '../billing-accounts/accounts.js';

/**
 * Usage of a closed period has changed: it is corrected with the account's next billing, or by the next run when
 * nothing else of the account falls due any more. A closing whose lines are not stored yet is marked too.
 */
@EventConsumer()
export class OnUsageCorrected {
  constructor(private readonly replicas: Replicas) {}

  @Consume(usageCorrectionV1, { batch: true })
  async handle(events: EventOf<typeof usageCorrectionV1>[], tx: TenantTx): Promise<void> {
    const survivors = await survivorsOf(
      tx,
      events.map(({ payload }) => payload.customerId),
    );
    const changes = events.map(({ payload }) => ({
      ...payload,
      customerId: survivors.get(payload.customerId) ?? payload.customerId,
    }));
    const customers = await tx.query<{ id: string; zone: string }>(
      `SELECT a.customer_id AS id, c.time_zone AS zone
       FROM billing_account a
       JOIN customer c ON c.tenant_id = a.tenant_id AND c.id = a.customer_id
       WHERE a.tenant_id = $1 AND a.customer_id = ANY($2::uuid[])
       ORDER BY a.customer_id FOR UPDATE OF a`,
      [tx.tenantId, changes.map(({ customerId }) => customerId)],
    );
    const zones = new Map(customers.map(({ id, zone }) => [id, zone]));
    const corrections = changes.filter(({ customerId }) => zones.has(customerId));
    if (corrections.length === 0) return;
    await tx.query(
      `INSERT INTO usage_correction (tenant_id, closing_id, customer_id, item_id, marked_on, created_at)
       SELECT $1, x.*, $6 FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS x
       ON CONFLICT (tenant_id, closing_id) DO NOTHING`,
      [
        tx.tenantId,
        corrections.map(({ closingId }) => closingId),
        corrections.map(({ customerId }) => customerId),
        corrections.map(({ itemId }) => itemId),
        corrections.map(({ customerId }) => dayOf(tx.now, zones.get(customerId) as string)),
        tx.now,
      ],
    );
    await rescheduleAccounts(tx, [...zones.keys()], await tenantZone(tx, this.replicas));
  }
}
