import type { TenantTx } from '@kontor/persistence';
import { userRoles } from '../db/user-role.row.js';
import { permissionsOfRoles, type Role } from '../domain/roles.js';

/** Roles a tenant can make. */
export const MAX_ROLES = 100;

/** The roles that the tenant made itself, by name. */
export async function ownRoles(tx: TenantTx): Promise<Role[]> {
  const rows = await userRoles.find(tx, {}, { orderBy: { name: 'asc' }, limit: MAX_ROLES });
  return rows.map(({ id, name, permissions }) => ({ id, name, permissions, builtIn: false }));
}

export const permissionsOf = async (tx: TenantTx, roles: readonly string[]): Promise<string[]> =>
  permissionsOfRoles(roles, await ownRoles(tx));
