import { addDays, atTimeOfDay, type Day, type Tx } from '@kontor/kernel';
import { cancelDue, scheduleDueMany } from '@kontor/persistence';
import type { BlockedReason } from '../domain/invoices/invoice.js';
import { BLOCKED_WORK } from '../due-kinds.js';

/** When a blocked draft is tried again if its cause does not change before: the next night's run. */
export const nextRetry = (today: Day, timeZone: string): Date => atTimeOfDay(addDays(today, 1), '03:00', timeZone);

export const scheduleRetries = (tx: Tx, invoiceIds: readonly string[], dueAt: Date): Promise<void> =>
  scheduleDueMany(
    tx,
    invoiceIds.map((id) => ({ kind: BLOCKED_WORK, ref: id, dueAt })),
  );

export const cancelRetry = (tx: Tx, invoiceId: string): Promise<void> => cancelDue(tx, BLOCKED_WORK, invoiceId);

/** Makes the blocked drafts of a tenant due now: all of them, or those of customers or with a reason. Returns whose they are. */
export async function retryBlockedDrafts(
  tx: Tx,
  filter: { customerIds?: readonly string[]; reason?: BlockedReason },
): Promise<string[]> {
  const drafts = await tx.query<{ id: string; customerId: string }>(
    `SELECT id, customer_id AS "customerId" FROM invoice
     WHERE blocked_reason IS NOT NULL
       AND ($1::uuid[] IS NULL OR customer_id = ANY ($1::uuid[]))
       AND ($2::text IS NULL OR blocked_reason = $2)`,
    [filter.customerIds ?? null, filter.reason ?? null],
  );
  await scheduleRetries(
    tx,
    drafts.map(({ id }) => id),
    tx.now,
  );
  return [...new Set(drafts.map(({ customerId }) => customerId))];
}
