import type { ChargesDue, ChargesPart } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { chargePartTable } from './charge-part.row.js';

type Part = ChargesDue & { part: ChargesPart };
const isPart = (batch: ChargesDue): batch is Part => batch.part !== undefined;
const invoicesOf = (parts: readonly Part[]): string[] => [...new Set(parts.map(({ part }) => part.of))].sort();

/** Who gathers parts of an invoice does so alone: of two, neither would see that the other has the rest. */
export async function lockParts(tx: Tx, batches: readonly ChargesDue[]): Promise<void> {
  const parts = batches.filter(isPart);
  if (parts.length === 0) return;
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('charge_part ' || k.id, 0)) FROM unnest($1::text[]) AS k (id)`,
    [invoicesOf(parts)],
  );
}

/**
 * What documents can be made of: batches of which all parts are there, each invoice's in their order. Other parts are
 * kept until then, so nobody sees half an invoice.
 */
export async function gatherParts(tx: Tx, batches: readonly ChargesDue[]): Promise<ChargesDue[]> {
  const parts = batches.filter(isPart);
  if (parts.length === 0) return [...batches];
  await chargePartTable.insertMissing(
    tx,
    parts.map((payload) => {
      const { batchId, customerId, part } = payload;
      const { of: firstBatchId, number, count } = part;
      return { batchId, firstBatchId, number, count, customerId, payload, createdAt: tx.now };
    }),
  );
  const complete = await tx.query<{ payload: Part }>(
    `DELETE FROM charge_part
     WHERE tenant_id = $1 AND first_batch_id IN (
       SELECT first_batch_id FROM charge_part WHERE tenant_id = $1 AND first_batch_id = ANY($2::uuid[])
       GROUP BY first_batch_id HAVING count(*) = max(count))
     RETURNING payload`,
    [tx.tenantId, invoicesOf(parts)],
  );
  const gathered = complete.map(({ payload }) => payload).sort((a, b) => a.part.number - b.part.number);
  return [...batches.filter((batch) => !isPart(batch)), ...gathered];
}
