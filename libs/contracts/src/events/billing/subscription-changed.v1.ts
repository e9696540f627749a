import type { CustomerId, PaymentMethodId, SubscriptionId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable, NullableText, stateOf } from '../../schemas.js';

export const SubscriptionState = Type.Object({
  id: idOf<SubscriptionId>(),
  number: Type.String(),
  externalId: NullableText,
  name: NullableText,
  status: Type.String(),
  customerId: idOf<CustomerId>(),
  poNumber: NullableText,
  customFields: nullable(Type.Record(Type.String(), Type.String())),
  paymentMethodId: nullable(idOf<PaymentMethodId>()),
});
export type SubscriptionState = Static<typeof SubscriptionState>;

export const subscriptionChangedV1 = defineEvent({
  type: 'billing.subscription.changed.v1',
  topic: 'billing.subscription',
  description: 'A subscription or one of its items changed.',
  schema: stateOf(SubscriptionState),
  example: {
    id: exampleId(4),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(4),
      number: 'S-10001',
      externalId: null,
      name: 'Team',
      status: 'active',
      customerId: exampleId(1),
      poNumber: null,
      customFields: null,
      paymentMethodId: null,
    },
    notices: [],
  },
});
