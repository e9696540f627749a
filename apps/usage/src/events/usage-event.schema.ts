import { Type } from '@sinclair/typebox';

const Item = Type.Object({
  transactionId: Type.String({ minLength: 1, maxLength: 255, description: 'Idempotency key of the event: one that is known is ignored.' }),
  eventName: Type.String({ minLength: 1, maxLength: 255 }),
  timestamp: Type.String({ format: 'date-time' }),
  customerId: Type.String({ minLength: 1, maxLength: 255, description: 'Id, external id or number of the customer.' }),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const UsageEventsRequest = Type.Object({ events: Type.Array(Item, { minItems: 1, maxItems: 1000 }) });

export const UsageEventsResult = Type.Object({
  ingested: Type.Integer(),
  duplicates: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      index: Type.Integer(),
      transactionId: Type.Union([Type.String(), Type.Null()]),
      code: Type.Union(
        ['missing_field', 'invalid_type', 'unknown_field', 'invalid_timestamp', 'timestamp_in_future', 'unknown_customer'].map((code) =>
          Type.Literal(code),
        ),
      ),
      message: Type.String(),
    }),
  ),
});

export const UsageEvent = Type.Object(
  {
    id: Type.String({ description: 'ULID.' }),
    transactionId: Type.String(),
    eventName: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    customerId: Type.String({ format: 'uuid' }),
    properties: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Type.String({ format: 'date-time' }),
    voidedAt: Type.Optional(Type.String({ format: 'date-time', description: 'Only on an event that was voided.' })),
  },
  { $id: 'UsageEvent' },
);

export const UsageEventList = Type.Object({
  data: Type.Array(UsageEvent),
  meta: Type.Object({ limit: Type.Integer() }),
  pagination: Type.Object({ cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null on the last.' }) }),
});

export const DiscoveredEvents = Type.Object({
  eventNames: Type.Array(
    Type.Object({
      name: Type.String(),
      sampleProperties: Type.Record(Type.String(), Type.Unknown(), { description: 'Of the latest event of this name, shortened.' }),
    }),
  ),
  allProperties: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Names joined by dots.' }),
      type: Type.Union(['string', 'number', 'boolean', 'null', 'object', 'array'].map((type) => Type.Literal(type))),
      eventName: Type.String(),
      sampleValues: Type.Array(Type.Unknown(), { maxItems: 5 }),
    }),
  ),
  exampleEvents: Type.Array(
    Type.Object({
      eventName: Type.String(),
      properties: Type.Record(Type.String(), Type.Unknown()),
      timestamp: Type.String({ format: 'date-time' }),
    }),
    { maxItems: 10 },
  ),
});
