import { PERMISSIONS } from './permissions.js';

/** A key of the HTTP API without its secret, which is shown once and stored as a digest. */
export interface ApiKey {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** The permissions of a list that do not exist or that a key of this maker may not be given. */
export function refusedPermissions(wanted: readonly string[], makersPermissions: readonly string[]): string[] {
  const makerHasAll = makersPermissions.includes('*');
  return wanted.filter((permission) => {
    if (permission === 'operator') return true;
    if (permission === '*') return !makerHasAll;
    return !PERMISSIONS.has(permission) || !(makerHasAll || makersPermissions.includes(permission));
  });
}

/** `GET /api-keys`: never the secret. */
export const representApiKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  permissions: [...key.permissions],
  expiresAt: key.expiresAt?.toISOString() ?? null,
  createdAt: key.createdAt.toISOString(),
});
