import type { Tx } from '@kontor/kernel';
import { scheduleDueMany } from '@kontor/persistence';
import type { BlockedReason } from '../domain/invoice.js';
import { BLOCKED_WORK } from './blocked-work.js';

/** Makes the blocked drafts of a tenant due now, all of them or those of a customer or with a reason. */
export async function retryNow(tx: Tx, of: { customerId?: string; reason?: BlockedReason }): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    `select id from invoice where blocked_reason is not null and ($1::uuid is null or customer_id = $1) and ($2::text is null or blocked_reason = $2)`,
    [of.customerId ?? null, of.reason ?? null],
  );
  await scheduleDueMany(
    tx,
    rows.map(({ id }) => ({ kind: BLOCKED_WORK, ref: id, dueAt: tx.now })),
  );
}
