import { defineEvent } from '../../define-event.js';
import { customerMergedV1 } from './customer-merged.v1.js';

export const customerUnmergedV1 = defineEvent({
  type: 'billing.customer.unmerged.v1',
  topic: 'billing.customer',
  description:
    "A merge of two customers was undone; whoever moved something for it returns it. Takes one number of the source customer's sequence.",
  schema: customerMergedV1.schema,
  example: customerMergedV1.example,
});
