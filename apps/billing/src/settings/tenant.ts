import type { TenantState } from '@kontor/contracts';
import type { Replicas, TenantTx } from '@kontor/persistence';

/** What holds for a tenant that is not known yet. */
export const FALLBACK_CURRENCY = 'EUR';
export const FALLBACK_ZONE = 'Europe/Berlin';

/** The tenant as identity last published it; null while it is unknown. */
export const tenantOf = (tx: TenantTx, replicas: Replicas): Promise<TenantState | null> =>
  replicas.get<TenantState>(tx, 'tenant', tx.tenantId);

/** The IANA zone in which the tenant's days begin. */
export const tenantZone = async (tx: TenantTx, replicas: Replicas): Promise<string> =>
  (await tenantOf(tx, replicas))?.timeZone ?? FALLBACK_ZONE;
