import type { CustomerId, UsageMetricId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf } from '../../schemas.js';

export const usageCorrectionV1 = defineEvent({
  type: 'usage.correction.v1',
  topic: 'usage.correction',
  description:
    'Usage of a closed period is no longer what its closing says: events came late or were voided. ' +
    'Published once per closing, the first time; whoever bills closes the period again.',
  schema: Type.Object({
    closingId: Type.String(),
    /** Subscription item whose period it is. */
    itemId: Type.String(),
    customerId: idOf<CustomerId>(),
    metricId: idOf<UsageMetricId>(),
    /** Half-open. */
    period: Type.Object({ from: Type.String(), to: Type.String() }),
  }),
  example: {
    closingId: exampleId(72),
    itemId: exampleId(8),
    customerId: exampleId(1),
    metricId: exampleId(70),
    period: { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' },
  },
});
