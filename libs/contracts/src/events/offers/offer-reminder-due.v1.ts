import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, nullable, NullableText } from '../../schemas.js';
import { OfferContact, offerLinkSentV1 } from './offer-link-sent.v1.js';

export const offerReminderDueV1 = defineEvent({
  type: 'offers.offer.reminder-due.v1',
  topic: 'offers.offer',
  description:
    'An offer ends soon: a recipient who has not signed is to be reminded by mail. Who has the link can use it.',
  schema: Type.Object({
    recipientId: Type.String(),
    offerId: Type.String(),
    customerId: idOf<CustomerId>(),
    email: Type.String(),
    number: Type.String(),
    name: NullableText,
    language: NullableText,
    validUntil: InstantText,
    /** Which of the reminders: one mail each. */
    dueAt: InstantText,
    contactPerson: nullable(OfferContact),
    /** Who is greeted; null: somebody without a name. Absent in events of earlier days. */
    recipientName: Type.Optional(NullableText),
    link: Type.String(),
  }),
  example: {
    recipientId: exampleId(52),
    offerId: '01K00000000000000000000001',
    customerId: exampleId(1),
    email: 'einkauf@backhaus-elbe.example',
    number: 'AN-2026-00001',
    name: 'Team',
    language: 'de',
    validUntil: '2026-12-31T22:59:59.999Z',
    dueAt: '2026-12-28T22:59:59.999Z',
    contactPerson: { name: 'Jo Brandt', email: 'jo.brandt@nordlicht.example', phone: '+49 40 1234567' },
    recipientName: 'Jule Brandt',
    link: offerLinkSentV1.example.link,
  },
});
