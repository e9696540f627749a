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

/** What a subscription brings in a year, by day, as it is agreed on the customer's day `on`. */
export const RecurringLevels = Type.Object({
  on: Type.String(),
  levels: Type.Array(
    Type.Object({
      from: Type.String(),
      planId: NullableText,
      currencyCode: Type.String(),
      /** Integer as text, net, minor units; without usage, single charges and discounts that end. */
      annualAmount: Type.String(),
    }),
  ),
});

const SubscriptionChanged = Type.Composite([
  stateOf(SubscriptionState),
  /** Absent where nothing that is billed can have changed. */
  Type.Object({ recurring: Type.Optional(RecurringLevels) }),
]);
export type SubscriptionChanged = Static<typeof SubscriptionChanged>;

export const subscriptionChangedV1 = defineEvent({
  type: 'billing.subscription.changed.v1',
  topic: 'billing.subscription',
  description: 'A subscription or one of its items changed.',
  schema: SubscriptionChanged,
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
    recurring: {
      on: '2026-01-15',
      levels: [{ from: '2026-01-15', planId: null, currencyCode: 'EUR', annualAmount: '118800' }],
    },
  },
});
