import type { CheckMergeRequest, MergeConflict, MovedObjects } from '@kontor/contracts';
import {
  type CustomerMerge,
  moveCustomerRows,
  returnCustomerRows,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { REPAIR_ROLLUPS } from '../rollups/rollup-work.js';

/** Usage of a merged customer, counted and billed as it was, is the other one's; what is sent under its names from now on too. */
@Injectable()
export class MoveUsage extends CustomerMover {
  readonly rows = [
    { object: 'usage_event', table: 'usage_event', id: null },
    { object: 'usage_rollup', table: 'usage_rollup', id: null },
    { object: 'usage_closing', table: 'usage_closing' },
    { object: 'usage_threshold', table: 'usage_threshold' },
    { object: 'usage_threshold_hit', table: 'usage_threshold_hit', id: 'threshold_id' },
    { object: 'usage_breakdown', table: 'usage_breakdown' },
    { object: 'usage_touched', table: 'usage_touched', id: null },
  ];

  /** What was billed for one customer's usage would not be true for both together. */
  override async conflicts(
    tx: TenantTx,
    { sourceCustomerId, targetCustomerId }: CheckMergeRequest,
  ): Promise<MergeConflict[]> {
    const used = (customer: string): string =>
      `EXISTS (SELECT FROM usage_rollup r WHERE r.tenant_id = $1 AND r.rollup_id = m.rollup_id AND r.customer_id = ${customer})`;
    const metrics = await tx.query<{ code: string }>(
      `SELECT m.code FROM usage_metric m
       WHERE m.tenant_id = $1 AND ${used('$2')} AND ${used('$3')} ORDER BY m.code LIMIT 5`,
      [tx.tenantId, sourceCustomerId, targetCustomerId],
    );
    return metrics.map(({ code }) => ({
      code: 'usage_of_both',
      message: `Both customers have usage of the metric ${code}.`,
    }));
  }

  override async move(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[]> {
    await renameCustomers(tx);
    await this.joinWhatBothHave(tx, merge);
    return moveCustomerRows(tx, merge, this.rows);
  }

  /** Events are counted, not noted: whose they were is not known any more. */
  override async undoConflicts(tx: TenantTx, { mergeId }: CustomerMerge): Promise<MergeConflict[]> {
    const moved = await tx.query(
      `SELECT 1 FROM customer_merge, jsonb_array_elements(moved) AS m
       WHERE tenant_id = $1 AND merge_id = $2 AND m->>'object' NOT LIKE 'usage_threshold%' LIMIT 1`,
      [tx.tenantId, mergeId],
    );
    if (moved.length === 0) return [];
    return [{ code: 'usage_moved', message: 'Usage of the customer was moved; it cannot be told apart any more.' }];
  }

  override async undo(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[]> {
    await renameCustomers(tx);
    return returnCustomerRows(tx, merge, this.rows);
  }

  /** Usage of both that came after it was looked at: counted together, and what is more than a sum counted anew. */
  private async joinWhatBothHave(tx: TenantTx, { sourceCustomerId, survivorId }: CustomerMerge): Promise<void> {
    const both = [tx.tenantId, sourceCustomerId, survivorId];
    const joined = await tx.query(
      `WITH gone AS (
         DELETE FROM usage_rollup s USING usage_rollup t
         WHERE s.tenant_id = $1 AND s.customer_id = $2 AND t.tenant_id = $1 AND t.customer_id = $3
           AND t.rollup_id = s.rollup_id AND t.width = s.width AND t.bucket_from = s.bucket_from AND t.grp_key = s.grp_key
         RETURNING s.*
       )
       UPDATE usage_rollup t SET count = t.count + g.count, sum = t.sum + g.sum, stale = true
       FROM gone g
       WHERE t.tenant_id = $1 AND t.customer_id = $3 AND t.rollup_id = g.rollup_id AND t.width = g.width
         AND t.bucket_from = g.bucket_from AND t.grp_key = g.grp_key
       RETURNING 1`,
      both,
    );
    if (joined.length > 0) await scheduleDue(tx, { kind: REPAIR_ROLLUPS, ref: tx.tenantId, dueAt: tx.now });
    await tx.query(
      `DELETE FROM usage_threshold_hit s USING usage_threshold_hit t
       WHERE s.tenant_id = $1 AND s.customer_id = $2 AND t.tenant_id = $1 AND t.customer_id = $3
         AND t.threshold_id = s.threshold_id AND t.period_from = s.period_from`,
      both,
    );
  }
}

/** Who is adding events has ended, and begins again with what customers are called now. */
async function renameCustomers(tx: TenantTx): Promise<void> {
  await tx.query('SELECT usage_metrics_lock($1)', [tx.tenantId]);
  await tx.query(
    `INSERT INTO usage_tenant AS t (tenant_id, customers_version) VALUES ($1, 1)
     ON CONFLICT (tenant_id) DO UPDATE SET customers_version = t.customers_version + 1`,
    [tx.tenantId],
  );
}
