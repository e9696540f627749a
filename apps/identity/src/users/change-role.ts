import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { keepWithin, type TenantTx } from '@kontor/persistence';
import { recordAudit } from '../audit-log/record-audit.js';
import { identityProviders } from '../db/identity-provider.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { userInvitations } from '../db/user-invitation.row.js';
import { type UserRoleRow, userRoles } from '../db/user-role.row.js';
import type { Role } from '../domain/roles.js';
import { lockTenant } from '../published-events.js';
import { MAX_ROLES } from './own-roles.js';
import { keepAnAdministrator, refuseToGive, refuseToTake } from './user-grants.js';

interface RoleContent {
  readonly name: string;
  readonly permissions: readonly string[];
}

/** Makes and changes a tenant's own roles, by somebody who may do all that they allow, before and after. */
@Injectable()
export class ChangeRole {
  /** @throws DomainError 403 `permission_denied`, 422 `already_exists`, `too_many_roles` */
  async create(tx: TenantTx, caller: Principal, content: RoleContent): Promise<Role> {
    await lockTenant(tx);
    refuseToGive(caller, content.permissions);
    await keepWithin(tx, userRoles, 'too_many_roles', { limit: MAX_ROLES, what: 'roles of a tenant’s own' });
    await this.refuseTakenName(tx, content.name, null);
    const role = { id: newUuid(), ...contentOf(content), createdAt: new Date() };
    await userRoles.insert(tx, role);
    await this.log(tx, 'role.created', role, { permissions: role.permissions });
    return { ...role, builtIn: false };
  }

  /** @throws DomainError 404 `not_found`, 403 `permission_denied`, 422 `already_exists`, `last_administrator` */
  async replace(tx: TenantTx, caller: Principal, id: string, content: RoleContent): Promise<Role> {
    const before = await this.lock(tx, caller, id);
    refuseToGive(caller, content.permissions);
    await this.refuseTakenName(tx, content.name, id);
    const role = { ...before, ...contentOf(content) };
    await userRoles.update(tx, role);
    await keepAnAdministrator(tx, before.permissions.includes('*') && !role.permissions.includes('*'));
    const metadata = { before: before.permissions, after: role.permissions };
    await this.log(tx, 'role.updated', role, metadata);
    return { ...role, builtIn: false };
  }

  /** @throws DomainError 404 `not_found`, 403 `permission_denied`, 422 `role_in_use` */
  async delete(tx: TenantTx, caller: Principal, id: string): Promise<void> {
    const role = await this.lock(tx, caller, id);
    const used = await tenantUsers.where(tx, 't.roles ? $2 LIMIT 1', [id]);
    const offered = await userInvitations.where(tx, `t.status = 'pending' AND t.roles ? $2 LIMIT 1`, [id]);
    const given = await identityProviders.where(tx, 't.new_user_roles ? $2 LIMIT 1', [id]);
    if (used.length + offered.length + given.length > 0)
      throw new DomainError('role_in_use', {
        detail: 'Somebody has this role, is invited to it, or would get it from the identity provider.',
      });
    await userRoles.delete(tx, { id });
    await this.log(tx, 'role.deleted', role, { permissions: role.permissions });
  }

  private async lock(tx: TenantTx, caller: Principal, id: string): Promise<UserRoleRow> {
    await lockTenant(tx);
    const role = await userRoles.get(tx, id, { lock: 'update' });
    if (!role) throw notFound('Role');
    refuseToTake(caller, role.permissions);
    return role;
  }

  private async refuseTakenName(tx: TenantTx, name: string, id: string | null): Promise<void> {
    const taken = await userRoles.where(tx, 'lower(t.name) = lower($2) AND t.id IS DISTINCT FROM $3::uuid LIMIT 1', [
      name,
      id,
    ]);
    if (taken.length > 0) throw new DomainError('already_exists', { detail: 'A role of this name exists already.' });
  }

  private async log(
    tx: TenantTx,
    type: 'role.created' | 'role.updated' | 'role.deleted',
    { id, name }: Pick<UserRoleRow, 'id' | 'name'>,
    metadata: Record<string, unknown>,
  ): Promise<void> {
    await recordAudit(tx, { type, subject: { kind: 'role', id, name }, metadata });
  }
}

const contentOf = ({ name, permissions }: RoleContent) => ({ name, permissions: [...new Set(permissions)] });
