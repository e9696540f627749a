import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { RatedAccount } from '../domain/charging/rated-account.js';
import type { RatingContext } from '../domain/charging/rating-context.js';

/**
 * Locks the accounts and those of whoever gets their invoices, in the order that all transactions use, and returns the
 * accounts that still are as they were read, each with its number of batches so far.
 */
export async function claimUnchanged(
  tx: TenantTx,
  rated: readonly RatedAccount[],
  { recipients }: RatingContext,
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ customerId: string; version: bigint; requestedRunId: string | null; sequence: bigint }>(
    `SELECT customer_id AS "customerId", version, requested_run_id AS "requestedRunId", charges_seq AS sequence
     FROM billing_account
     WHERE tenant_id = $1 AND customer_id = ANY($2::uuid[])
     ORDER BY customer_id FOR UPDATE`,
    [tx.tenantId, [...new Set([...recipients.values()].map(({ customerId }) => customerId))]],
  );
  const locked = new Map(rows.map((row) => [row.customerId, row]));
  const unchanged = new Map<string, bigint>();
  for (const { account } of rated) {
    const row = locked.get(account.customerId);
    invariant(row, 'a billing account is never removed alone');
    if (row.version === account.version && row.requestedRunId === account.requestedRunId)
      unchanged.set(account.customerId, row.sequence);
  }
  return unchanged;
}
