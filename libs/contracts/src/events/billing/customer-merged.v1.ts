import type { CustomerId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf } from '../../schemas.js';

export const customerMergedV1 = defineEvent({
  type: 'billing.customer.merged.v1',
  topic: 'billing.customer',
  description:
    "A customer was merged into another; whoever owns something of it moves it there. Takes one number of the merged customer's sequence.",
  schema: Type.Object({
    mergeId: Type.String(),
    sourceCustomerId: idOf<CustomerId>(),
    targetCustomerId: idOf<CustomerId>(),
  }),
  example: { mergeId: exampleId(60), sourceCustomerId: exampleId(1), targetCustomerId: exampleId(2) },
});
