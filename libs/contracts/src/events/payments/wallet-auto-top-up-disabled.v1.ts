import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, NullableText } from '../../schemas.js';

export const autoTopUpDisabledV1 = defineEvent({
  type: 'payments.wallet.auto-top-up-disabled.v1',
  topic: 'payments.wallet',
  description: 'A rule for automatic top-ups was switched off after too many failures in a row.',
  schema: Type.Object({
    ruleId: Type.String(),
    customerId: idOf<CustomerId>(),
    currencyCode: Type.String(),
    consecutiveFailures: Type.Integer(),
    failureReason: NullableText,
  }),
  example: {
    ruleId: exampleId(52),
    customerId: exampleId(1),
    currencyCode: 'EUR',
    consecutiveFailures: 5,
    failureReason: 'card_declined',
  },
});
