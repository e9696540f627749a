import type { TenantId } from '@kontor/kernel';
import { type Database, NotYet } from '@kontor/persistence';
import { DOCUMENT_AS_LINES, PORTION_OF_BATCH } from '../domain/charging/portion.js';

/** Without an answer for so long, a tenant's lines do not hold up further ones: what becomes documents is away, or some wait for an operator. */
const STALLED_SECONDS = 10;
const PAUSE_MS = 250;

/**
 * Lines that are not on documents yet stand before those of all other tenants. So a tenant's runs go on when invoicing has
 * made documents of what they have made so far, up to one batch: whoever bills little waits for that, not for all of it.
 * It is the documents that take long, unless they have many lines, so that both count.
 * @throws NotYet while there are more.
 */
export async function requireFewLinesInHand(database: Database, tenantId: TenantId): Promise<void> {
  const [row] = await database.tenant(
    tenantId,
    (tx) =>
      tx.query<{ cost: bigint }>(
        `SELECT coalesce(sum(lines_open + batches_open * ${DOCUMENT_AS_LINES}::bigint), 0)::bigint AS cost FROM billing_run
         WHERE tenant_id = $1 AND status = 'running' AND moved_at > now() - interval '${STALLED_SECONDS} seconds'`,
        [tenantId],
      ),
    { atOnce: true },
  );
  if (Number(row?.cost ?? 0) >= PORTION_OF_BATCH) throw new NotYet(PAUSE_MS);
}
