import { type Static, Type } from '@sinclair/typebox';
import { fullName, type Person } from '../accounts/person.js';
import type { TenantUserRow } from '../db/tenant-user.row.js';
import type { UserInvitationRow } from '../db/user-invitation.row.js';
import type { Role } from '../domain/roles.js';

const Uuid = Type.String({ format: 'uuid' });
const Instant = Type.String({ format: 'date-time' });

export const userSchema = Type.Object(
  {
    id: Uuid,
    email: Type.String({ format: 'email' }),
    firstName: Type.String(),
    lastName: Type.String(),
    fullName: Type.String({ description: 'First and last name.' }),
    roles: Type.Array(Type.String(), { description: 'Names of built-in roles and ids of own ones.' }),
    secondFactor: Type.Boolean({ description: 'Whether a code of an app is asked for when they sign in.' }),
    deactivated: Type.Boolean({ description: 'Whether they were removed from the tenant.' }),
    createdAt: Instant,
  },
  { $id: 'User' },
);

export const representUser = (user: TenantUserRow, person: Person): Static<typeof userSchema> => ({
  id: user.id,
  email: person.email,
  firstName: person.firstName,
  lastName: person.lastName,
  fullName: fullName(person),
  roles: [...user.roles],
  secondFactor: person.totpSecret !== null,
  deactivated: user.deactivated,
  createdAt: user.createdAt.toISOString(),
});

export const EXAMPLE_USER = {
  id: '0199f000-0000-7000-8000-000000000081',
  email: 'ada.berg@nordlicht.example',
  firstName: 'Ada',
  lastName: 'Berg',
  fullName: 'Ada Berg',
  roles: ['accounting'],
  secondFactor: true,
  deactivated: false,
  createdAt: '2026-03-01T10:00:00.000Z',
};

export const invitationSchema = Type.Object(
  {
    id: Uuid,
    email: Type.String({ format: 'email' }),
    roles: Type.Array(Type.String(), { description: 'What the person becomes.' }),
    language: Type.Union([Type.Literal('de'), Type.Literal('en')]),
    status: Type.Union(
      ['pending', 'accepted', 'revoked', 'expired'].map((status) => Type.Literal(status)),
      { description: 'What became of it.' },
    ),
    createdAt: Instant,
    expiresAt: Instant,
    answeredAt: Type.Union([Instant, Type.Null()], { description: 'When it was accepted or revoked; null: neither.' }),
  },
  { $id: 'UserInvitation' },
);

/** `now` is real time. */
export const representInvitation = (invitation: UserInvitationRow, now: Date) => ({
  id: invitation.id,
  email: invitation.email,
  roles: [...invitation.roles],
  language: invitation.language,
  status: invitation.status === 'pending' && invitation.expiresAt <= now ? 'expired' : invitation.status,
  createdAt: invitation.createdAt.toISOString(),
  expiresAt: invitation.expiresAt.toISOString(),
  answeredAt: invitation.answeredAt?.toISOString() ?? null,
});

export const EXAMPLE_INVITATION = {
  id: '0199f000-0000-7000-8000-000000000082',
  email: 'ada.berg@nordlicht.example',
  roles: ['accounting'],
  language: 'de',
  status: 'pending',
  createdAt: '2026-03-01T10:00:00.000Z',
  expiresAt: '2026-03-08T10:00:00.000Z',
  answeredAt: null,
};

export const roleSchema = Type.Object(
  {
    id: Type.String({ description: 'The name of a built-in role, else an id.' }),
    name: Type.String(),
    permissions: Type.Array(Type.String()),
    builtIn: Type.Boolean({ description: 'Whether every tenant has it; such roles never change.' }),
  },
  { $id: 'UserRole' },
);

export const representRole = ({ id, name, permissions, builtIn }: Role) => ({
  id,
  name,
  permissions: [...permissions],
  builtIn,
});

export const EXAMPLE_ROLE = {
  id: '0199f000-0000-7000-8000-000000000083',
  name: 'Webhooks',
  permissions: ['webhook:read', 'webhook:write'],
  builtIn: false,
};
