import type { Database } from '../database.js';
import type { TenantTx } from '../tx.js';
import type { DueBatch } from './due-handler.js';
import { completeDue, type DueItem } from './due-work.js';

/**
 * Does due work one item at a time, each in a transaction that also ends it, at the batch's time: for work that takes locks of
 * its own and is to fail alone. `work` gives the next time, if there is one.
 */
export async function eachDueItem(
  database: Database,
  batch: DueBatch,
  kind: string,
  work: (tx: TenantTx, item: DueItem) => Promise<Date | null | void>,
): Promise<void> {
  const options = { now: batch.now };
  for (const item of batch.items) {
    batch.signal.throwIfAborted();
    await database.tenant(
      batch.tenantId,
      async (tx) => completeDue(tx, kind, item, (await work(tx, item)) ?? null),
      options,
    );
  }
}
