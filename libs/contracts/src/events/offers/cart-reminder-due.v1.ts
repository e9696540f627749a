import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, nullable } from '../../schemas.js';

export const cartReminderDueV1 = defineEvent({
  type: 'offers.cart.reminder-due.v1',
  topic: 'offers.cart-mail',
  description: 'A buyer has left a cart: the link to it is to be mailed, once. Who has the link can use it.',
  schema: Type.Object({
    cartId: Type.String(),
    customerId: nullable(idOf<CustomerId>()),
    email: Type.String(),
    language: Type.String(),
    link: Type.String(),
    expiresAt: InstantText,
    timeZone: Type.String(),
  }),
  example: {
    cartId: exampleId(54),
    customerId: null,
    email: 'einkauf@backhaus-elbe.example',
    language: 'de',
    link: 'https://billing.example/public/checkout/carts/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
    expiresAt: '2026-03-03T09:00:00.000Z',
    timeZone: 'Europe/Berlin',
  },
});
