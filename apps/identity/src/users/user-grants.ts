import type { Principal } from '@kontor/contracts';
import { DomainError, unknownReference } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { permissionDenied } from '@kontor/service-kit';
import { withheldPermissions } from '../api-keys/reach.js';
import { type TenantUserRow, tenantUsers } from '../db/tenant-user.row.js';
import { builtInRoles, permissionsOfRoles, type Role } from '../domain/roles.js';
import { ownRoles } from './own-roles.js';

/** @throws DomainError 403 `permission_denied` for permissions that the caller does not have. */
export function refuseToTake(caller: Principal, permissions: readonly string[]): void {
  const withheld = withheldPermissions(permissions, caller.permissions);
  if (withheld.length > 0)
    throw permissionDenied(`Nobody can give or take what they may not do themselves: ${withheld.join(', ')}.`);
}

/** @throws DomainError 403 `permission_denied`, also for a key that is bound: people are not, so they would reach further than it does. */
export function refuseToGive(caller: Principal, permissions: readonly string[]): void {
  refuseToTake(caller, permissions);
  if (caller.isBound)
    throw permissionDenied(
      'A key that is bound to addresses or to a time can give people nothing: they are not bound.',
    );
}

/**
 * The roles of a request, each once.
 * @throws DomainError 422 `unknown_reference`; 403 `permission_denied` where they allow more than the caller may do.
 */
export async function grantableRoles(
  tx: TenantTx,
  caller: Principal,
  roles: readonly string[],
  field = 'roles',
): Promise<string[]> {
  const tenantRoles = await ownRoles(tx);
  const known = new Set([...builtInRoles, ...tenantRoles].map(({ id }) => id));
  const wanted = [...new Set(roles)];
  wanted.forEach((id, index) => {
    if (!known.has(id)) throw unknownReference(`${field}[${index}]`, 'role');
  });
  if (wanted.length > 0) refuseToGive(caller, permissionsOfRoles(wanted, tenantRoles));
  return wanted;
}

/**
 * Holds the promise that somebody who may do everything stays: call it after a change, with the tenant locked.
 * @throws DomainError 422 `last_administrator`
 */
export async function keepAnAdministrator(tx: TenantTx, wasAdministrator: boolean): Promise<void> {
  if (!wasAdministrator) return;
  const tenantRoles = await ownRoles(tx);
  const mighty = [...builtInRoles, ...tenantRoles].filter(mayDoEverything).map(({ id }) => id);
  const [left] = await tenantUsers.where(tx, 'NOT t.deactivated AND t.roles ?| $2::text[] LIMIT 1', [mighty]);
  if (!left)
    throw new DomainError('last_administrator', {
      detail: 'Nobody would be left who may do everything in this tenant.',
    });
}

/** Whether nobody else in the tenant may do everything that this user may: lock the tenant where it counts. */
export async function isLastAdministrator(
  tx: TenantTx,
  user: Pick<TenantUserRow, 'id' | 'roles' | 'deactivated'>,
): Promise<boolean> {
  const mighty = [...builtInRoles, ...(await ownRoles(tx))].filter(mayDoEverything).map(({ id }) => id);
  if (user.deactivated || !user.roles.some((role) => mighty.includes(role))) return false;
  const others = 'NOT t.deactivated AND t.id <> $2 AND t.roles ?| $3::text[] LIMIT 1';
  return (await tenantUsers.where(tx, others, [user.id, mighty])).length === 0;
}

export const mayDoEverything = ({ permissions }: Pick<Role, 'permissions'>): boolean => permissions.includes('*');
