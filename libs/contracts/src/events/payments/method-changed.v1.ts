import type { CustomerId, PaymentMethodId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, stateOf } from '../../schemas.js';

export const PaymentMethodState = Type.Object({
  id: idOf<PaymentMethodId>(),
  customerId: idOf<CustomerId>(),
  gatewayName: Type.String(),
  status: Type.String(),
  default: Type.Boolean(),
  enabled: Type.Boolean(),
  /** GET's representation, for embedding. */
  representation: Type.Record(Type.String(), Type.Unknown()),
});
export type PaymentMethodState = Static<typeof PaymentMethodState>;

export const paymentMethodChangedV1 = defineEvent({
  type: 'payments.method.changed.v1',
  topic: 'payments.method',
  description: 'A payment method was created, changed, became or ceased to be the default, or was removed.',
  schema: stateOf(PaymentMethodState),
  example: {
    id: exampleId(40),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(40),
      customerId: exampleId(1),
      gatewayName: 'testing',
      status: 'active',
      default: true,
      enabled: true,
      representation: {},
    },
    notices: [],
  },
});
