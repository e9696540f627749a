import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { MATCH_BANK } from '../../due-kinds.js';

/** Documents have become unpaid: where lines wait for something to be for, they are looked at again. */
export async function rematchOpenLines(tx: TenantTx): Promise<void> {
  const waiting = await tx.query(
    `SELECT 1 FROM bank_transaction WHERE tenant_id = $1
      AND status IN ('STATUS_SUGGESTIONS_AVAILABLE', 'STATUS_MANUAL_MATCHING_REQUIRED') LIMIT 1`,
    [tx.tenantId],
  );
  if (waiting.length > 0) await scheduleDue(tx, { kind: MATCH_BANK, ref: 'open', dueAt: tx.now });
}
