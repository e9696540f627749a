import { type Static, Type } from '@sinclair/typebox';

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
export type UsageEventJson = Static<typeof UsageEvent>;

export const UsageEventList = Type.Object({
  data: Type.Array(UsageEvent),
  meta: Type.Object({ limit: Type.Integer() }),
  pagination: Type.Object({
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null on the last.' }),
  }),
});

export type UsageEventListJson = Static<typeof UsageEventList>;

export const DiscoveredEvents = Type.Object({
  eventNames: Type.Array(
    Type.Object({
      name: Type.String(),
      sampleProperties: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Of the latest event of this name, shortened.',
      }),
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
export type DiscoveredEventsJson = Static<typeof DiscoveredEvents>;
