import { Type } from '@sinclair/typebox';

const fields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  allowedIps: Type.Union([Type.Array(Type.String()), Type.Null()]),
  lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  createdAt: Type.String({ format: 'date-time' }),
};

export const rotatedApiKeySchema = Type.Object({
  ...fields,
  secret: Type.Optional(Type.String({ description: 'The key itself; in this answer only.' })),
  replaces: Type.Object({ id: Type.String({ format: 'uuid' }), expiresAt: Type.String({ format: 'date-time' }) }),
});

export const apiKeySchema = Type.Object(fields, { $id: 'ApiKey' });

export const newApiKeySchema = Type.Object({
  ...fields,
  // Absent from a repeat under an Idempotency-Key.
  secret: Type.Optional(
    Type.String({ description: 'The key itself; in this answer only.', examples: ['api_Q2q8fJ1xwS0m3k5n7p9r1t3v'] }),
  ),
});
