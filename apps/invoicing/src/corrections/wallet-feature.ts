import type { TenantState } from '@kontor/contracts';
import { DomainError, type Tx } from '@kontor/kernel';
import type { Replicas } from '@kontor/persistence';
import type { Disposition } from '../pricing/draft.js';

/** @throws DomainError 403 `feature_not_enabled` when money is to become credit and the tenant has no wallets. */
export async function checkDisposition(replicas: Replicas, tx: Tx, disposition: Disposition | null): Promise<void> {
  if (disposition !== 'wallet') return;
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  if (!tenant?.features.includes('WalletTopUp'))
    throw new DomainError('feature_not_enabled', {
      kind: 'forbidden',
      detail: 'The feature WalletTopUp is not enabled for this tenant.',
    });
}
