import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, nullable, NullableText } from '../../schemas.js';

export const offerApprovalRequestedV1 = defineEvent({
  type: 'offers.offer.approval-requested.v1',
  topic: 'offers.offer',
  description: 'An offer waits for the approval of a user, to whom a mail about it is to be sent.',
  schema: Type.Object({
    offerId: Type.String(),
    customerId: idOf<CustomerId>(),
    userId: Type.String(),
    email: Type.String(),
    userName: Type.String(),
    language: Type.String(),
    number: Type.String(),
    name: NullableText,
    customerName: NullableText,
    requestedBy: NullableText,
    /** Which of the requests: one mail each. */
    requestedAt: InstantText,
    validUntil: nullable(InstantText),
    timeZone: Type.String(),
  }),
  example: {
    offerId: '01K00000000000000000000001',
    customerId: exampleId(1),
    userId: exampleId(43),
    email: 'ada.berg@nordlicht.example',
    userName: 'Ada Berg',
    language: 'de',
    number: 'AN-2026-00001',
    name: 'Team',
    customerName: 'Backhaus Elbe GmbH',
    requestedBy: 'Jo Brandt',
    requestedAt: '2026-12-01T09:00:00.000Z',
    validUntil: '2026-12-31T22:59:59.999Z',
    timeZone: 'Europe/Berlin',
  },
});
