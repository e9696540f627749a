import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, MoneySchema } from '../../schemas.js';

export const payerActionRequiredV1 = defineEvent({
  type: 'payments.payer-action.required.v1',
  topic: 'payments.payer-action',
  description:
    'A payment waits for its payer (a card to be confirmed, a wallet to approve): the link to do so is to be mailed to the customer. ' +
    'Who has the link can use it.',
  schema: Type.Object({
    transactionId: Type.String(),
    customerId: idOf<CustomerId>(),
    documentNumber: Type.String(),
    amount: MoneySchema,
    link: Type.String(),
  }),
  example: {
    transactionId: exampleId(42),
    customerId: exampleId(1),
    documentNumber: 'RE-2026-00001',
    amount: { amount: 11917, currencyCode: 'EUR' },
    link: 'https://billing.example/public/payments/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
  },
});
