import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { MATCH_BANK, OPEN_LINES, OPEN_RETURNS } from '../../due-kinds.js';

/** Documents have become unpaid: where lines wait for something to be for, they are looked at again. */
export const rematchOpenLines = (tx: TenantTx): Promise<void> => rematch(tx, OPEN_LINES, 'true');

/**
 * Lines have paid something: returned money that nothing was found for may be that. Its line comes first where files are imported in
 * another order than that of their days, where a file begins with its last booking, and where a person assigns the payment later.
 */
export const rematchReturns = (tx: TenantTx): Promise<void> => rematch(tx, OPEN_RETURNS, 'is_return');

async function rematch(tx: TenantTx, ref: string, which: string): Promise<void> {
  const waiting = await tx.query(
    `SELECT 1 FROM bank_transaction WHERE tenant_id = $1 AND ${which}
      AND status IN ('STATUS_SUGGESTIONS_AVAILABLE', 'STATUS_MANUAL_MATCHING_REQUIRED') LIMIT 1`,
    [tx.tenantId],
  );
  if (waiting.length > 0) await scheduleDue(tx, { kind: MATCH_BANK, ref, dueAt: tx.now });
}
