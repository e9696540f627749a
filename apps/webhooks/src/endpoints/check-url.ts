import type { Principal, TenantState } from '@kontor/contracts';
import { validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { refusalOf } from './receiver-address.js';

/** @throws DomainError `validation_failed` for an address that this tenant's webhooks may not go to. */
export async function checkUrl(tx: TenantTx, replicas: Replicas, principal: Principal, url: string): Promise<void> {
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const mode = tenant?.mode ?? principal.mode ?? 'live';
  const refusal = refusalOf(url, mode === 'sandbox' ? 'sandbox' : 'public');
  if (refusal !== null) throw validationFailed('url', `url ${refusal}.`, 'invalid_url');
}
