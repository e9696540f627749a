import { type Static, Type } from '@sinclair/typebox';

const Item = Type.Object({
  transactionId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Idempotency key of the event: one that is known is ignored.',
  }),
  eventName: Type.String({ minLength: 1, maxLength: 255 }),
  timestamp: Type.String({ format: 'date-time' }),
  customerId: Type.String({ minLength: 1, maxLength: 255, description: 'Id, external id or number of the customer.' }),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const UsageEventsRequest = Type.Object(
  { events: Type.Array(Item, { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

export const UsageEventsResult = Type.Object({
  ingested: Type.Integer(),
  duplicates: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      index: Type.Integer(),
      transactionId: Type.Union([Type.String(), Type.Null()]),
      code: Type.Union(
        [
          'missing_field',
          'invalid_type',
          'unknown_field',
          'invalid_timestamp',
          'timestamp_in_future',
          'unknown_customer',
          'customer_anonymized',
          'too_large',
        ].map((code) => Type.Literal(code)),
      ),
      message: Type.String(),
    }),
  ),
});
export type UsageEventsResultJson = Static<typeof UsageEventsResult>;
