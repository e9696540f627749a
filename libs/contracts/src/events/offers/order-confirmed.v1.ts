import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText } from '../../schemas.js';

export const orderConfirmedV1 = defineEvent({
  type: 'offers.cart.order-confirmed.v1',
  topic: 'offers.cart-mail',
  description:
    'A cart was ordered: what was ordered is to be confirmed by mail. Who has the link sees what has become of the order.',
  schema: Type.Object({
    cartId: Type.String(),
    customerId: idOf<CustomerId>(),
    email: NullableText,
    language: NullableText,
    link: Type.String(),
    orderedAt: InstantText,
    lines: Type.Array(Type.Object({ name: Type.String(), quantity: Type.String(), netAmount: MoneySchema })),
    totals: Type.Object({ net: MoneySchema, tax: MoneySchema, gross: MoneySchema }),
    recurring: Type.Array(Type.Object({ interval: Type.String(), gross: MoneySchema })),
    trialDays: Type.Integer(),
    /** What is billed by use, and how, net; absent in earlier events. */
    measured: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), interval: Type.String(), price: Type.String() })),
    ),
    /** How long the contract binds; absent in earlier events. */
    term: Type.Optional(
      nullable(
        Type.Object({
          contractPeriodCount: Type.Integer(),
          contractPeriod: NullableText,
          cancellationPeriod: NullableText,
        }),
      ),
    ),
    termsUrl: NullableText,
    withdrawalUrl: NullableText,
  }),
  example: {
    cartId: exampleId(54),
    customerId: exampleId(1),
    email: 'einkauf@backhaus-elbe.example',
    language: 'de',
    link: 'https://billing.example/public/checkout/carts/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
    orderedAt: '2026-03-02T09:00:00.000Z',
    lines: [{ name: 'Team', quantity: '5', netAmount: { amount: 4500, currencyCode: 'EUR' } }],
    totals: {
      net: { amount: 4500, currencyCode: 'EUR' },
      tax: { amount: 855, currencyCode: 'EUR' },
      gross: { amount: 5355, currencyCode: 'EUR' },
    },
    recurring: [{ interval: '1M', gross: { amount: 5355, currencyCode: 'EUR' } }],
    trialDays: 0,
    measured: [{ name: 'Anrufe', interval: '1M', price: '0,25 EUR je Anruf' }],
    term: { contractPeriodCount: 1, contractPeriod: '12M', cancellationPeriod: '1M' },
    termsUrl: null,
    withdrawalUrl: null,
  },
});
