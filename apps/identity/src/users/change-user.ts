import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { invariant, notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { endSessions } from '../accounts/person-sessions.js';
import { fullName, type Person, personById } from '../accounts/person.js';
import { recordAudit } from '../audit-log/record-audit.js';
import type { AuditParty } from '../db/audit-entry.row.js';
import { providerLogins } from '../db/provider-login.row.js';
import { type TenantUserRow, tenantUsers } from '../db/tenant-user.row.js';
import { lockTenant } from '../published-events.js';
import { permissionsOf } from './own-roles.js';
import { saveUser } from './publish-user.js';
import { grantableRoles, keepAnAdministrator, refuseToTake } from './user-grants.js';

export interface FoundUser {
  readonly user: TenantUserRow;
  readonly person: Person;
}

export const partyOf = ({ user, person }: FoundUser): AuditParty => ({
  kind: 'user',
  id: user.id,
  name: fullName(person),
});

/** Changes what a user may do, by somebody who may do all of it, before and after. It counts for the next request. */
@Injectable()
export class ChangeUser {
  /** @throws DomainError 404 `not_found`, 403 `permission_denied`, 422 `unknown_reference`, `last_administrator` */
  async setRoles(tx: TenantTx, caller: Principal, id: string, roles: readonly string[]): Promise<FoundUser> {
    const found = await this.lock(tx, caller, id);
    const wanted = await grantableRoles(tx, caller, roles);
    const before = found.user.roles;
    if (sameRoles(before, wanted)) return found;
    const wasMighty = (await permissionsOf(tx, before)).includes('*');
    found.user.roles = wanted;
    await saveUser(tx, found.user, found.person);
    await keepAnAdministrator(tx, wasMighty);
    await recordAudit(tx, { type: 'user.roles_changed', subject: partyOf(found), metadata: { before, after: wanted } });
    return found;
  }

  /** Takes somebody out of the tenant; logs go on naming the person. */
  async remove(tx: TenantTx, caller: Principal, id: string): Promise<void> {
    const found = await this.lock(tx, caller, id);
    const before = found.user.roles;
    const wasMighty = (await permissionsOf(tx, before)).includes('*');
    found.user.roles = [];
    found.user.deactivated = true;
    await saveUser(tx, found.user, found.person);
    await keepAnAdministrator(tx, wasMighty);
    await endSessions(tx, found.person.id, { tenantId: tx.tenantId });
    await providerLogins.delete(tx, { personId: found.person.id });
    await recordAudit(tx, { type: 'user.removed', subject: partyOf(found), metadata: { before } });
  }

  /** Signs somebody out of the tenant everywhere. Returns how many sessions ended. */
  async endSessions(tx: TenantTx, caller: Principal, id: string): Promise<number> {
    const found = await this.lock(tx, caller, id);
    const sessions = await endSessions(tx, found.person.id, { tenantId: tx.tenantId });
    await recordAudit(tx, { type: 'user.sessions_ended', subject: partyOf(found), metadata: { sessions } });
    return sessions;
  }

  private async lock(tx: TenantTx, caller: Principal, id: string): Promise<FoundUser> {
    await lockTenant(tx);
    const user = await tenantUsers.get(tx, id, { lock: 'update' });
    if (!user || user.deactivated) throw notFound('User');
    const person = await personById(tx, user.personId);
    invariant(person, 'a user is a person');
    refuseToTake(caller, await permissionsOf(tx, user.roles));
    return { user, person };
  }
}

const sameRoles = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role));
