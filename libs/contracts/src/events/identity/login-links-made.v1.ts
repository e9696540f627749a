import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText } from '../../schemas.js';

export const loginLinksMadeV1 = defineEvent({
  type: 'identity.login-link.made.v1',
  topic: 'identity.login-link',
  description:
    'Somebody with an e-mail address asked to log in: a link for each customer of that address is to be mailed to it. Who has a link can use it.',
  schema: Type.Object({
    requestId: Type.String(),
    /** Each customer with its link; the mail is written to the first one, in its language. */
    links: Type.Array(Type.Object({ customerId: idOf<CustomerId>(), name: Type.String(), link: Type.String() }), {
      minItems: 1,
    }),
    expiresAt: InstantText,
  }),
  example: {
    requestId: exampleId(42),
    links: [
      {
        customerId: exampleId(1),
        name: 'Backhaus Elbe GmbH',
        link: 'https://billing.example/public/customer/login/kJ0n7hQ0yq9m2m0m5n1w7y',
      },
    ],
    expiresAt: '2026-03-01T10:15:00.000Z',
  },
});
