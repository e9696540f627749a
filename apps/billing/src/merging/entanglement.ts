import { type CustomerMerge, notedIds, type TenantTx } from '@kontor/persistence';
import type { Entanglement } from '../domain/customers/undo-conflicts.js';

const NOTED = (kind: string): string => notedIds('$3', `'${kind}'`);

const of = (table: string): string => `FROM ${table} x WHERE x.tenant_id = $1 AND x.customer_id = $2`;

/** What has grown together of two customers since they were merged. */
export async function readEntanglement(tx: TenantTx, { mergeId, survivorId }: CustomerMerge): Promise<Entanglement> {
  const [facts] = await tx.query<Entanglement>(
    `SELECT
       EXISTS (SELECT ${of('charge_batch')} AND x.settled_at IS NULL)
         OR EXISTS (SELECT ${of('billing_account')} AND x.requested_run_id IS NOT NULL) AS "isBeingBilled",
       EXISTS (
         SELECT FROM subscription s
         JOIN billing_group g ON g.tenant_id = $1 AND g.id = s.billing_group_id AND g.customer_id = $2
         WHERE s.tenant_id = $1 AND s.customer_id = $2
           AND (s.id::text IN ${NOTED('subscription')}) <> (g.id::text IN ${NOTED('billing_group')})
       ) AS "sharesBillingGroup",
       EXISTS (
         SELECT FROM subscription_item i
         JOIN price_plan p ON p.tenant_id = $1 AND p.id = i.price_plan_id AND p.customer_id = $2
         WHERE i.tenant_id = $1 AND i.customer_id = $2 AND i.status <> 'terminated'
           AND (i.subscription_id::text IN ${NOTED('subscription')}) <> (p.id::text IN ${NOTED('price_plan')})
       ) AS "sharesPrice"`,
    [tx.tenantId, survivorId, mergeId],
  );
  return facts as Entanglement;
}
