import type { TenantTx } from '@kontor/persistence';

const LOCK = `hashtextextended($1::uuid::text, 7)`;

/**
 * Whether the tenant has features at all. From here on until the end of the transaction no feature is activated and none assigned:
 * what reads features and assignments to make entitlements of them, and what makes these, do not miss each other.
 */
export async function keepFeatures(tx: TenantTx): Promise<boolean> {
  const [row] = await tx.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM feature WHERE tenant_id = $1) FROM pg_advisory_xact_lock_shared(${LOCK})`,
    [tx.tenantId],
  );
  return row?.exists ?? false;
}

/** Waits for everybody who makes entitlements, and lets nobody begin; committed before anything else is locked. */
export const lockFeatures = (tx: TenantTx): Promise<unknown> =>
  tx.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [tx.tenantId]);

/** Locks entitlements, all in one order. */
export const lockEntitlements = (tx: TenantTx, ids: readonly string[]): Promise<unknown> =>
  tx.query('SELECT 1 FROM entitlement WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE', [
    tx.tenantId,
    ids,
  ]);

/** Locks all entitlements of subscriptions, in the same order. */
export const lockEntitlementsOf = (tx: TenantTx, subscriptionIds: readonly string[]): Promise<unknown> =>
  tx.query(
    'SELECT 1 FROM entitlement WHERE tenant_id = $1 AND subscription_id = ANY($2::uuid[]) ORDER BY id FOR UPDATE',
    [tx.tenantId, subscriptionIds],
  );
