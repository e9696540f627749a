import type { CustomerId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, NullableText, stateOf } from '../../schemas.js';

export const OfferState = Type.Object({
  id: Type.String(),
  number: Type.String(),
  status: Type.String(),
  customerId: idOf<CustomerId>(),
  validUntil: NullableText,
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
      customerId: exampleId(1),
      validUntil: '2026-12-31T22:59:59.999Z',
    },
    notices: [],
  },
});
