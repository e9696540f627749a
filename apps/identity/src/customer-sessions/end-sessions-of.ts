import type { TenantTx } from '@kontor/persistence';

/** Nobody is logged in as this customer any more, or can be by a link that was mailed before; what apps were given for it ends as well. */
export async function endSessionsOf(tx: TenantTx, customerId: string): Promise<void> {
  // Links first: who uses one meanwhile holds it until the session can be seen.
  for (const table of ['login_link', 'customer_session'])
    await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND customer_id = $2`, [tx.tenantId, customerId]);
  // Grants and sessions first: a request that goes on meanwhile holds its own until what it writes can be seen.
  for (const which of [`AND model IN ('Grant', 'Session')`, ''])
    await tx.query(`DELETE FROM oidc_payload WHERE payload->>'accountId' = $1 ${which}`, [customerId]);
}
