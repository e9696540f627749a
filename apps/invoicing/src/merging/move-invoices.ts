import type { CheckMergeRequest, MergeConflict, MovedObjects } from '@kontor/contracts';
import { type CustomerMerge, moveCustomerRows, notedIds, noteMerged, type TenantTx } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

const MOVED_DRAFT = 'moved_draft';

const BEING_FINALIZED: MergeConflict = {
  code: 'being_finalized',
  message: 'An invoice of the customer is being finalized; try again in a moment.',
};

/**
 * Whoever corrects or duns a document holds it, and makes another one for the same customer: those are locked too, so that every
 * one of them is seen.
 */
async function lockDocuments(tx: TenantTx, customerId: string): Promise<void> {
  for (let before = -1, count = 0; count !== before;) {
    before = count;
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT 1 FROM invoice WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR UPDATE) AS locked`,
      [tx.tenantId, customerId],
    );
    count = row?.count ?? 0;
  }
}

/** Documents of a merged customer belong to the other one; their snapshots and files stay as they were issued. */
@Injectable()
export class MoveInvoices extends CustomerMover {
  readonly rows = [
    { object: 'invoice', table: 'invoice' },
    { object: 'dunning_document', table: 'dunning_document' },
  ];

  override async conflicts(tx: TenantTx, { sourceCustomerId }: CheckMergeRequest): Promise<MergeConflict[]> {
    const busy = await tx.query(
      `SELECT 1 FROM invoice WHERE tenant_id = $1 AND customer_id = $2 AND status = 'STATUS_FINALIZING' LIMIT 1`,
      [tx.tenantId, sourceCustomerId],
    );
    return busy.length === 0 ? [] : [BEING_FINALIZED];
  }

  override async move(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[]> {
    await lockDocuments(tx, merge.sourceCustomerId);
    // No line of the other one joins them: they can be returned.
    await tx.query('UPDATE invoice SET joinable = false WHERE tenant_id = $1 AND customer_id = $2 AND joinable', [
      tx.tenantId,
      merge.sourceCustomerId,
    ]);
    const drafts = await tx.query<{ id: string }>(
      'SELECT id::text AS id FROM invoice WHERE tenant_id = $1 AND customer_id = $2 AND number IS NULL',
      [tx.tenantId, merge.sourceCustomerId],
    );
    await noteMerged(
      tx,
      merge.mergeId,
      MOVED_DRAFT,
      drafts.map(({ id }) => id),
    );
    return moveCustomerRows(tx, merge, this.rows);
  }

  /** What was a draft when it was moved, and was issued to the other customer since, stays with that one: so does what is owed for it. */
  override async undo(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    await tx.query(
      `DELETE FROM customer_merge_object o USING invoice i
       WHERE o.tenant_id = $1 AND o.merge_id = $2 AND o.object = 'invoice' AND o.object_id IN ${notedIds('$2', '$3')}
         AND i.tenant_id = $1 AND i.id = o.object_id::uuid AND i.number IS NOT NULL`,
      [tx.tenantId, merge.mergeId, MOVED_DRAFT],
    );
    return super.undo(tx, merge);
  }

  override async undoConflicts(tx: TenantTx, { mergeId }: CustomerMerge): Promise<MergeConflict[]> {
    const busy = await tx.query(
      `SELECT 1 FROM invoice WHERE tenant_id = $1 AND status = 'STATUS_FINALIZING'
         AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$2', "'invoice'")} AS x) LIMIT 1`,
      [tx.tenantId, mergeId],
    );
    return busy.length === 0 ? [] : [BEING_FINALIZED];
  }
}
