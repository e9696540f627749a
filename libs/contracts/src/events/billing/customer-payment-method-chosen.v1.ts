import type { CustomerId, PaymentMethodId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf } from '../../schemas.js';

export const paymentMethodChosenV1 = defineEvent({
  type: 'billing.customer.payment-method-chosen.v1',
  topic: 'billing.customer',
  description:
    "A payment method was chosen as the default of its customer; their owner makes it so. Takes one number of the customer's sequence.",
  schema: Type.Object({ customerId: idOf<CustomerId>(), paymentMethodId: idOf<PaymentMethodId>() }),
  example: { customerId: exampleId(1), paymentMethodId: exampleId(40) },
});
