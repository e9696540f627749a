import { type Notice, userChangedV1, type UserState } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import type { Person } from '../accounts/person.js';
import { type TenantUserRow, tenantUsers } from '../db/tenant-user.row.js';

type Named = Pick<Person, 'email' | 'firstName' | 'lastName'> & Partial<Pick<Person, 'language'>>;

export const userState = (user: TenantUserRow, { email, firstName, lastName, language }: Named): UserState => ({
  id: user.id,
  email,
  firstName,
  lastName,
  ...(language && { language }),
  deactivated: user.deactivated,
});

/** Stores a user with its next version and publishes it, in this transaction. Lock the row before changing it. */
export async function saveUser(
  tx: TenantTx,
  user: TenantUserRow,
  person: Named,
  notices: Notice[] = [],
): Promise<void> {
  user.version += 1n;
  await tenantUsers.save(tx, user);
  await appendEvent(tx, userChangedV1, {
    aggregateId: user.id,
    aggregateSeq: Number(user.version),
    payload: { id: user.id, version: Number(user.version), deleted: false, state: userState(user, person), notices },
  });
}
