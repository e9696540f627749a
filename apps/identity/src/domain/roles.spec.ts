import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS, permits } from '@kontor/service-kit';
import { builtInRoles, permissionsOfRoles } from './roles.js';

const may = (role: string, permission: string): boolean => permits(permissionsOfRoles([role], []), permission);

describe('built-in roles', () => {
  it.each(builtInRoles)('$id has permissions that exist', ({ permissions }) => {
    for (const permission of permissions) expect(['*', ...PERMISSIONS]).toContain(permission);
  });

  it.each([
    ['administrator', 'user:write', true],
    ['administrator', 'operator', false],
    ['accounting', 'transaction:write', true],
    ['accounting', 'subscription:write', false],
    ['accounting', 'user:read', false],
    ['support', 'subscription:write', true],
    ['support', 'invoice:write', false],
    ['read_only', 'invoice:read', true],
    ['read_only', 'api-key:read', false],
    ['read_only', 'audit-log:read', false],
  ])('%s may %s: %s', (role, permission, expected) => expect(may(role, permission)).toBe(expected));

  it('read_only changes nothing', () =>
    expect(PERMISSIONS.filter((permission) => may('read_only', permission) && !permission.endsWith(':read'))).toEqual(
      [],
    ));

  it('several roles allow what each does, and one that is gone nothing', () => {
    const ownRoles = [{ id: 'r1', name: 'Hooks', permissions: ['webhook:read'], builtIn: false }];
    expect(permits(permissionsOfRoles(['read_only', 'r1'], ownRoles), 'webhook:read')).toBe(true);
    expect(permissionsOfRoles(['r2'], ownRoles)).toEqual([]);
  });
});
