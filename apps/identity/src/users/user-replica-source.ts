import { isUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { peopleByIds } from '../accounts/person.js';
import { type TenantUserRow, tenantUsers } from '../db/tenant-user.row.js';
import { userState } from './publish-user.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Users for the services that copy them. */
@ReplicaSource('user')
export class UserReplicaSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const user = isUuid(id) ? await tenantUsers.get(tx, id) : null;
    const [owned] = user ? await this.owned(tx, [user]) : [];
    return owned ?? null;
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const users = await tenantUsers.where(tx, `t.id > $2 ORDER BY t.id LIMIT $3`, [after ?? FIRST, limit]);
    return this.owned(tx, users);
  }

  private async owned(tx: TenantTx, users: readonly TenantUserRow[]): Promise<OwnedObject[]> {
    const people = await peopleByIds(
      tx,
      users.map(({ personId }) => personId),
    );
    return users.flatMap((user) => {
      const person = people.get(user.personId);
      return person ? [{ id: user.id, version: Number(user.version), data: userState(user, person) }] : [];
    });
  }
}
