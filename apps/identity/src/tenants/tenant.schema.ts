import { Type } from '@sinclair/typebox';

const features = Type.Array(Type.String());

export const tenantSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    mode: Type.Unsafe<'live' | 'sandbox'>({
      type: 'string',
      enum: ['live', 'sandbox'],
      description: 'A sandbox has a clock.',
    }),
    plan: Type.Unsafe<'standard' | 'enterprise'>({
      type: 'string',
      enum: ['standard', 'enterprise'],
      description: 'What the organisation has booked.',
    }),
    features,
    timeZone: Type.String(),
    currencyCode: Type.String(),
    status: Type.String({ description: 'active, suspended, or closed: it is being deleted.', examples: ['active'] }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Tenant' },
);

export const featuresSchema = Type.Object({ features });

export const createdTenantSchema = Type.Object({
  tenantId: Type.String({ format: 'uuid' }),
  apiKey: Type.String({
    description: 'A key for everything; in this answer only.',
    examples: ['api_Q2q8fJ1xwS0m3k5n7p9r1t3v'],
  }),
});
