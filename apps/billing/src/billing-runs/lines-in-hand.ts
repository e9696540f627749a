import { newUuid, type TenantId } from '@kontor/kernel';
import { type Database, NotYet, type TenantTx } from '@kontor/persistence';
import { DOCUMENT_AS_LINES, PORTION_OF_BATCH } from '../domain/charging/portion.js';

/** Without an answer for so long, what is open is stuck: what becomes documents is away, or waits for an operator. */
const STALLED_SECONDS = 10;
const PAUSE_MS = 250;
const COST = `lines_open + batches_open * ${DOCUMENT_AS_LINES}::bigint`;

/**
 * Lines that are not on documents yet stand before those of all other tenants. So a tenant's runs go on when invoicing has
 * made documents of what they have made so far, up to one batch: whoever bills little waits for that, not for all of it.
 * It is the documents that take long, unless they have many lines, so that both count. What is stuck counts no more: one stall is
 * waited for once, and not again with every batch that comes after it.
 * @throws NotYet while there are more.
 */
export async function requireFewLinesInHand(database: Database, tenantId: TenantId): Promise<void> {
  const cost = await database.tenant(tenantId, costInHand, { atOnce: true });
  if (cost < PORTION_OF_BATCH) return;
  const left = await database.tenant(tenantId, async (tx) => {
    await leaveStuck(tx);
    return costInHand(tx);
  });
  if (left >= PORTION_OF_BATCH) throw new NotYet(PAUSE_MS);
}

async function costInHand(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ cost: bigint }>(
    `SELECT coalesce(sum(${COST} - stuck_cost), 0)::bigint AS cost FROM billing_run
     WHERE tenant_id = $1 AND status = 'running'`,
    [tx.tenantId],
  );
  return Number(row?.cost ?? 0);
}

/** Batches have ids in the order in which they are made: what is made from now on is not stuck. */
const leaveStuck = (tx: TenantTx): Promise<unknown> =>
  tx.query(
    `UPDATE billing_run SET stuck_cost = ${COST}, stuck_before = $2
     WHERE tenant_id = $1 AND status = 'running' AND stuck_cost < ${COST}
       AND moved_at <= now() - interval '${STALLED_SECONDS} seconds'`,
    [tx.tenantId, newUuid()],
  );
