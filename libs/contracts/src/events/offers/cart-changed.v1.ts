import type { CustomerId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable, NullableText, stateOf } from '../../schemas.js';

export const CartState = Type.Object({
  id: Type.String(),
  status: Type.String(),
  customerId: nullable(idOf<CustomerId>()),
  checkoutLinkId: NullableText,
  subscriptionId: NullableText,
  invoiceId: NullableText,
});
export type CartState = Static<typeof CartState>;

export const cartChangedV1 = defineEvent({
  type: 'offers.cart.changed.v1',
  topic: 'offers.cart',
  description: 'A cart was begun, changed, confirmed, paid, or has expired; the notices say which.',
  schema: stateOf(CartState),
  example: {
    id: exampleId(51),
    version: 3,
    deleted: false,
    state: {
      id: exampleId(51),
      status: 'completed',
      customerId: exampleId(1),
      checkoutLinkId: exampleId(50),
      subscriptionId: exampleId(4),
      invoiceId: null,
    },
    notices: [],
  },
});
