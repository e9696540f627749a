import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, nullable, NullableText } from '../../schemas.js';

/** Whom the buyer can ask. */
export const OfferContact = Type.Object({ name: Type.String(), email: NullableText, phone: NullableText });

export const offerLinkSentV1 = defineEvent({
  type: 'offers.offer.link-sent.v1',
  topic: 'offers.offer',
  description: 'The link to an offer is to be mailed to one of its recipients. Who has the link can use it.',
  schema: Type.Object({
    recipientId: Type.String(),
    offerId: Type.String(),
    customerId: idOf<CustomerId>(),
    email: Type.String(),
    number: Type.String(),
    name: NullableText,
    language: NullableText,
    validUntil: nullable(InstantText),
    link: Type.String(),
    /** Whom to ask; absent in events of earlier days. */
    contactPerson: Type.Optional(nullable(OfferContact)),
    /** Who is greeted; null: somebody without a name. Absent in events of earlier days. */
    recipientName: Type.Optional(NullableText),
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
    contactPerson: { name: 'Jo Brandt', email: 'jo.brandt@nordlicht.example', phone: '+49 40 1234567' },
    recipientName: 'Jule Brandt',
    link: 'https://billing.example/public/offers/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
  },
});
