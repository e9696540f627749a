import { Type } from '@sinclair/typebox';

const Uuid = Type.String({ format: 'uuid' });

export const SignedIn = Type.Object({
  data: Type.Object({
    accessToken: Type.String({ description: 'Acts in one tenant with what the person may do there, for an hour.' }),
    refreshToken: Type.String({ description: 'Gets new tokens, once, within 14 days.' }),
    expiresIn: Type.Integer({ description: 'Seconds that the access token lasts.' }),
    tenantId: Type.Union([Uuid, Type.Null()], {
      description: 'Where the access token acts; null where it is as before.',
    }),
    tenants: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String(),
        mode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
      }),
      { description: 'All tenants that the person works for.' },
    ),
  }),
});

export const EXAMPLE_SIGNED_IN = {
  data: {
    accessToken: 'usr_Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D3F5H7J9L1N30a1b2c3',
    refreshToken: 'urt_T3v5x7z9B1D3F5H7J9L1N3P5R7T9V1X3Z5b7d9f1h3j0d4e5f6',
    expiresIn: 3600,
    tenantId: '0199f000-0000-7000-8000-000000000001',
    tenants: [{ id: '0199f000-0000-7000-8000-000000000001', name: 'Nordlicht Software GmbH', mode: 'live' }],
  },
};
