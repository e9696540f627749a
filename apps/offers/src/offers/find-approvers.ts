import type { UserState } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { Approver } from '../domain/offers/approval.js';

/** @throws DomainError `unknown_reference` for somebody who is no user (any more) */
export async function findApprovers(tx: TenantTx, replicas: Replicas, ids: readonly string[]): Promise<Approver[]> {
  const users = await replicas.getMany<UserState>(tx, 'user', ids);
  return ids.map((id) => {
    const user = users.get(id);
    if (!user || user.deactivated) throw unknownReference('approvers', `user ${id}`);
    return { id, name: `${user.firstName} ${user.lastName}`.trim() };
  });
}
