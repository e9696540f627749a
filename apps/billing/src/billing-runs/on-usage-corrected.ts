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
    const ids = events.map(({ payload }) => payload.customerId);
    const zones = await lockAccounts(tx, [...ids, ...(await survivorsOf(tx, ids)).values()]);
    // Who is being merged, or parted again, holds the accounts: where that was waited for, it is somebody else's by now.
    const survivors = await survivorsOf(tx, ids);
    for (const [id, zone] of await lockAccounts(tx, [...survivors.values()])) zones.set(id, zone);
    const changes = events.map(({ payload }) => ({
      ...payload,
      customerId: survivors.get(payload.customerId) ?? payload.customerId,
    }));
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
    const corrected = new Set(corrections.map(({ customerId }) => customerId));
    await rescheduleAccounts(tx, [...corrected], await tenantZone(tx, this.replicas));
  }
}

/** Locks billing accounts, by customer, and reads their zones. */
async function lockAccounts(tx: TenantTx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const customers = await tx.query<{ id: string; zone: string }>(
    `SELECT a.customer_id AS id, c.time_zone AS zone
     FROM billing_account a
     JOIN customer c ON c.tenant_id = a.tenant_id AND c.id = a.customer_id
     WHERE a.tenant_id = $1 AND a.customer_id = ANY($2::uuid[])
     ORDER BY a.customer_id FOR UPDATE OF a`,
    [tx.tenantId, customerIds],
  );
  return new Map(customers.map(({ id, zone }) => [id, zone]));
}
