import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText } from '../../schemas.js';

export const paymentMethodLinkCreatedV1 = defineEvent({
  type: 'payments.method.link-created.v1',
  topic: 'payments.method',
  description:
    'A link with which a customer adds a way to pay was made and is to be mailed to the customer. Who has the link can use it.',
  schema: Type.Object({
    linkId: Type.String(),
    customerId: idOf<CustomerId>(),
    link: Type.String(),
    expiresAt: InstantText,
  }),
  example: {
    linkId: exampleId(41),
    customerId: exampleId(1),
    link: 'https://billing.example/public/payment-methods/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
    expiresAt: '2026-03-08T10:00:00.000Z',
  },
});
