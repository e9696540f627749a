import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

export const CheckoutLinkState = Type.Object({ id: Type.String(), slug: Type.String(), isEnabled: Type.Boolean() });
export type CheckoutLinkState = Static<typeof CheckoutLinkState>;

export const checkoutLinkChangedV1 = defineEvent({
  type: 'offers.checkout-link.changed.v1',
  topic: 'offers.checkout-link',
  description: 'An address at which anybody can buy was created or changed.',
  schema: stateOf(CheckoutLinkState),
  example: {
    id: exampleId(50),
    version: 1,
    deleted: false,
    state: { id: exampleId(50), slug: 'team', isEnabled: true },
    notices: [],
  },
});
