import type { CustomerId, PaymentMethodId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText, stateOf } from '../../schemas.js';

/** A top-up as GET answers it. */
export const TopUpState = Type.Object({
  id: Type.String(),
  customerId: idOf<CustomerId>(),
  requestedAmount: MoneySchema,
  creditedAmount: nullable(MoneySchema),
  status: Type.Union(['pending', 'completed', 'failed'].map((s) => Type.Literal(s))),
  paymentMethodId: nullable(idOf<PaymentMethodId>()),
  failureReason: NullableText,
  automatic: Type.Boolean(),
  reference: Type.String(),
  createdAt: InstantText,
  completedAt: nullable(InstantText),
});
export type TopUpState = Static<typeof TopUpState>;

export const topUpChangedV1 = defineEvent({
  type: 'payments.wallet.top-up-changed.v1',
  topic: 'payments.wallet',
  description: 'A top-up was started, completed or failed.',
  schema: stateOf(TopUpState),
  example: {
    id: exampleId(51),
    version: 2,
    deleted: false,
    state: {
      id: exampleId(51),
      customerId: exampleId(1),
      requestedAmount: { amount: 5000, currencyCode: 'EUR' },
      creditedAmount: { amount: 5000, currencyCode: 'EUR' },
      status: 'completed',
      paymentMethodId: exampleId(40),
      failureReason: null,
      automatic: false,
      reference: 'TU-0000000051',
      createdAt: '2026-03-01T10:00:00.000Z',
      completedAt: '2026-03-01T10:00:01.000Z',
    },
    notices: [],
  },
});
