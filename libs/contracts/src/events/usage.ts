import { Type } from '@sinclair/typebox';
import { defineEvent, Notice, nullable, stateOf, type Static, Text } from '../define-event.js';

const id = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Owner usage. What is counted; as price plans need it. */
export const UsageMetricState = Type.Object({
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  /** `active` or `archived`; an archived one is still measured for the price plans that have it. */
  status: Type.String(),
  eventName: Type.String(),
  aggregationType: Type.String(),
  property: Text,
  unit: Text,
  /** Property paths by which usage is divided; prices may depend on them. */
  groupBy: Type.Array(Type.String()),
  rounding: nullable(Type.Object({ mode: Type.String(), scale: Type.Integer() })),
});
export type UsageMetricState = Static<typeof UsageMetricState>;

export const usageMetricChangedV1 = defineEvent({
  type: 'usage.metric.changed.v1',
  topic: 'usage.metric',
  description: 'A usage metric was created, changed or archived.',
  schema: stateOf(UsageMetricState),
  example: {
    id: id(70),
    version: 1,
    deleted: false,
    state: {
      id: id(70), code: 'api_calls', name: 'API calls', status: 'active', eventName: 'api_call', aggregationType: 'count', property: null,
      unit: 'calls', groupBy: ['region'], rounding: { mode: 'half_up', scale: 2 },
    }, // prettier-ignore
    notices: [],
  },
});

export const usageThresholdReachedV1 = defineEvent({
  type: 'usage.threshold.reached.v1',
  topic: 'usage.threshold',
  description: "A customer's usage of a metric reached a threshold in a calendar month, for the first time in that month.",
  schema: Type.Object({
    thresholdId: Type.String(),
    metricId: Type.String(),
    customerId: Type.String(),
    /** Half-open, the month of the customer's time zone. */
    period: Type.Object({ from: Type.String(), to: Type.String() }),
    /** Decimal, when it was noticed. */
    value: Type.String(),
    notices: Type.Array(Notice),
  }),
  example: {
    thresholdId: id(71),
    metricId: id(70),
    customerId: id(1),
    period: { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' },
    value: '10000',
    notices: [
      {
        type: 'usage.threshold.reached',
        objectId: id(71),
        data: { usage: { id: id(71), value: '10000', reachedValue: '10000' } },
        customerId: id(1),
        activity: { metadata: { thresholdId: id(71), metric: 'api_calls', value: '10000' } },
      },
    ],
  },
});

export const usageCorrectionV1 = defineEvent({
  type: 'usage.correction.v1',
  topic: 'usage.correction',
  description:
    'Usage of a closed period is no longer what its closing says: events came late or were voided. Told once per closing, the first time; whoever bills closes the period again.',
  schema: Type.Object({
    closingId: Type.String(),
    /** Subscription item whose period it is. */
    itemId: Type.String(),
    customerId: Type.String(),
    metricId: Type.String(),
    /** Half-open. */
    period: Type.Object({ from: Type.String(), to: Type.String() }),
  }),
  example: {
    closingId: id(72),
    itemId: id(8),
    customerId: id(1),
    metricId: id(70),
    period: { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' },
  },
});
