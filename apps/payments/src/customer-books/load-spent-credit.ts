import type { TenantTx } from '@kontor/persistence';
import { inOrderOfReturn, type SpentLot } from '../domain/wallet/spent-credit.js';

/** By intent: what credit has paid of it and is not reversed, in the order in which it returns. */
export async function loadSpentCredit(tx: TenantTx, intentIds: readonly string[]): Promise<Map<string, SpentLot[]>> {
  const rows = await tx.query<SpentLot & { intentId: string }>(
    `SELECT s.intent_id AS "intentId", l.id AS "lotId", s.amount_minor AS "amountMinor", l.origin, l.promotional,
       l.expires_at AS "expiresAt", l.ordinal
     FROM (SELECT t.intent_id, (u.use ->> 'lotId')::uuid AS lot_id,
         sum(CASE t.type WHEN 'invoice_payment' THEN (u.use ->> 'amountMinor')::bigint
           ELSE -(u.use ->> 'amountMinor')::bigint END)::bigint AS amount_minor
       FROM wallet_transaction t CROSS JOIN LATERAL jsonb_array_elements(t.uses) AS u (use)
       WHERE t.tenant_id = $1 AND t.intent_id = ANY ($2::uuid[])
         AND t.type IN ('invoice_payment', 'invoice_payment_reversal')
       GROUP BY 1, 2) s
     JOIN wallet_lot l ON l.tenant_id = $1 AND l.id = s.lot_id
     WHERE s.amount_minor > 0`,
    [tx.tenantId, intentIds],
  );
  return new Map(
    [...Map.groupBy(rows, ({ intentId }) => intentId)].map(([intentId, spent]) => [intentId, inOrderOfReturn(spent)]),
  );
}
