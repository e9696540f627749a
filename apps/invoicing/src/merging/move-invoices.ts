import type { CheckMergeRequest, MergeConflict, MovedObjects } from '@kontor/contracts';
import { type CustomerMerge, moveCustomerRows, type TenantTx } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

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
    if (busy.length === 0) return [];
    return [
      { code: 'being_finalized', message: 'An invoice of the customer is being finalized; try again in a moment.' },
    ];
  }

  override async move(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[]> {
    // Of one due day there is one draft that lines can join: the survivor's.
    await tx.query(
      `UPDATE invoice i SET joinable = false
       WHERE i.tenant_id = $1 AND i.customer_id = $2 AND i.joinable AND EXISTS (
         SELECT FROM invoice o WHERE o.tenant_id = $1 AND o.customer_id = $3 AND o.joinable
           AND o.billing_day = i.billing_day AND o.grouping_key = i.grouping_key AND o.currency_code = i.currency_code)`,
      [tx.tenantId, merge.sourceCustomerId, merge.survivorId],
    );
    return moveCustomerRows(tx, merge, this.rows);
  }
}
