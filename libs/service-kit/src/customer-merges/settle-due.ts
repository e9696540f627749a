import { completeDue, type CustomerMerge, type Database, type DueBatch, type TenantTx } from '@kontor/persistence';

const AGAIN_AFTER_MS = 5_000;

/** When to ask again for what something under way keeps waiting; on real time. */
export const later = (): Date => new Date(Date.now() + AGAIN_AFTER_MS);

interface Waiting {
  /** Of the due work; its ref is the merge's id. */
  readonly kind: string;
  /** Of merges that wait for it. */
  readonly statuses: readonly string[];
  /** True when nothing keeps it waiting any more. */
  readonly settle: (tx: TenantTx, merge: CustomerMerge) => Promise<boolean>;
}

/** Settles each merge of a batch that still waits, in a transaction each, and has the others looked at again. */
export async function settleDue(
  database: Database,
  batch: DueBatch,
  { kind, statuses, settle }: Waiting,
): Promise<void> {
  for (const item of batch.items) {
    await database.tenant(batch.tenantId, async (tx) => {
      const [merge] = await tx.query<CustomerMerge>(
        `SELECT merge_id AS "mergeId", source_customer_id AS "sourceCustomerId", survivor_id AS "survivorId"
         FROM customer_merge WHERE tenant_id = $1 AND merge_id = $2 AND status = ANY($3::text[])`,
        [tx.tenantId, item.ref, statuses],
      );
      const isDone = !merge || (await settle(tx, merge));
      await completeDue(tx, kind, item, isDone ? null : later());
    });
  }
}
