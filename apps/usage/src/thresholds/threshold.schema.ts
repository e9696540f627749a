import { type Static, type TSchema, Type } from '@sinclair/typebox';

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const UsageThreshold = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    metric: Type.Object({
      id: Type.String({ format: 'uuid' }),
      code: Type.String(),
      name: Type.String(),
      unit: orNull(Type.String()),
    }),
    customerId: orNull(Type.String({ format: 'uuid', description: 'Null: each customer by itself.' })),
    value: Type.String({ description: 'Decimal; usage of a calendar month that is as much or more reaches it.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'UsageThreshold' },
);
export type UsageThresholdJson = Static<typeof UsageThreshold>;
