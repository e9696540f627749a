const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const nullableInstant = { type: ['string', 'null'], format: 'date-time' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;

/** Answers of this service in the OpenAPI document. */
export const WEBHOOK_SCHEMA = {
  $id: 'Webhook',
  type: 'object',
  properties: {
    id: uuid,
    url: text,
    events: { type: 'array', items: text },
    enabled: { type: 'boolean' },
    disabledReason: { type: ['string', 'null'], enum: ['manual', 'gone', 'failing', null] },
    description: nullableText,
    secret: { type: 'string', description: 'Only in the answers of creation and of rotate-secret.' },
    createdAt: instant,
  },
  required: ['id', 'url', 'events', 'enabled', 'disabledReason', 'description', 'createdAt'],
};

export const DELIVERY_SCHEMA = {
  $id: 'WebhookDelivery',
  type: 'object',
  properties: {
    id: text,
    eventId: text,
    eventType: text,
    status: { type: 'string', enum: ['pending', 'delivered', 'failed'] },
    attempts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: instant, responseStatus: { type: ['integer', 'null'] }, durationMs: { type: 'integer' }, error: nullableText },
        required: ['at', 'responseStatus', 'durationMs', 'error'],
      },
    },
    nextAttemptAt: nullableInstant,
  },
  required: ['id', 'eventId', 'eventType', 'status', 'attempts', 'nextAttemptAt'],
};

export const EVENT_SCHEMA = {
  $id: 'Event',
  type: 'object',
  properties: {
    id: text,
    type: text,
    version: text,
    createdAt: instant,
    sequence: { type: 'integer', description: 'Counts per object.' },
    objectId: text,
    customerId: { type: ['string', 'null'], format: 'uuid' },
    data: { type: 'object', additionalProperties: true },
  },
  required: ['id', 'type', 'version', 'createdAt', 'sequence', 'objectId', 'customerId', 'data'],
};

export const ACTIVITY_SCHEMA = {
  $id: 'CustomerActivity',
  type: 'object',
  properties: {
    id: uuid,
    dateTime: instant,
    type: text,
    user: { type: ['object', 'null'], additionalProperties: true },
    metadata: { type: 'object', additionalProperties: true },
    pinned: { type: 'boolean' },
  },
  required: ['id', 'dateTime', 'type', 'user', 'metadata', 'pinned'],
};
