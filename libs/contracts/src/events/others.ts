import { Type } from '@sinclair/typebox';
import { defineEvent, nullable, stateOf, Text, type Static } from '../define-event.js';

const id = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const OfferState = Type.Object({
  id: Type.String(),
  number: Type.String(),
  status: Type.String(),
  customerId: Type.String(),
  validUntil: Text,
});
export type OfferState = Static<typeof OfferState>;

export const offerChangedV1 = defineEvent({
  type: 'offers.offer.changed.v1',
  topic: 'offers.offer',
  description: 'An offer was created, published, changed, extended, archived, or has expired; the notices say which.',
  schema: stateOf(OfferState),
  example: {
    id: '01K00000000000000000000001',
    version: 1,
    deleted: false,
    state: {
      id: '01K00000000000000000000001',
      number: 'AN-2026-00001',
      status: 'open',
      customerId: id(1),
      validUntil: '2026-12-31T22:59:59.999Z',
    },
    notices: [],
  },
});

export const webhookEndpointChangedV1 = defineEvent({
  type: 'webhooks.endpoint.changed.v1',
  topic: 'webhooks.endpoint',
  description: 'A webhook endpoint was created, changed, disabled or removed. The secret is never in it.',
  schema: stateOf(Type.Object({ id: Type.String(), url: Type.String(), enabled: Type.Boolean(), disabledReason: nullable(Type.String()) })),
  example: {
    id: id(60),
    version: 1,
    deleted: false,
    state: { id: id(60), url: 'https://example.com/hook', enabled: true, disabledReason: null },
    notices: [],
  },
});
