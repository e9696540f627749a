import type { CustomerId, UsageMetricId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, Notice } from '../../schemas.js';

export const usageThresholdReachedV1 = defineEvent({
  type: 'usage.threshold.reached.v1',
  topic: 'usage.threshold',
  description:
    "A customer's usage of a metric reached a threshold in a calendar month, for the first time in that month.",
  schema: Type.Object({
    thresholdId: Type.String(),
    metricId: idOf<UsageMetricId>(),
    customerId: idOf<CustomerId>(),
    /** Half-open, the month of the customer's time zone. */
    period: Type.Object({ from: Type.String(), to: Type.String() }),
    /** Decimal, when it was noticed. */
    value: Type.String(),
    notices: Type.Array(Notice),
  }),
  example: {
    thresholdId: exampleId(71),
    metricId: exampleId(70),
    customerId: exampleId(1),
    period: { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' },
    value: '10000',
    notices: [
      {
        type: 'usage.threshold.reached',
        objectId: exampleId(71),
        data: { usage: { id: exampleId(71), value: '10000', reachedValue: '10000' } },
        customerId: exampleId(1),
        activity: { metadata: { thresholdId: exampleId(71), metric: 'api_calls', value: '10000' } },
      },
    ],
  },
});
