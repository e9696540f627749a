import type { TenantTx } from '@kontor/persistence';

/** Nobody is logged in as this customer any more, or can be by a link that was mailed before; what apps were given for it ends as well. */
export async function endSessionsOf(tx: TenantTx, customerId: string): Promise<void> {
  for (const table of ['customer_session', 'login_link'])
    await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND customer_id = $2`, [tx.tenantId, customerId]);
  // The grants first: an exchange that goes on meanwhile holds its own until the tokens can be seen.
  for (const which of [`AND model = 'Grant'`, ''])
    await tx.query(`DELETE FROM oidc_payload WHERE payload->>'accountId' = $1 ${which}`, [customerId]);
}
