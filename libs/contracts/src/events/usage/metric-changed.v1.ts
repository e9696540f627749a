import type { UsageMetricId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable, NullableText, stateOf } from '../../schemas.js';

/** Owner usage. What is counted; as price plans need it. */
export const UsageMetricState = Type.Object({
  id: idOf<UsageMetricId>(),
  code: Type.String(),
  name: Type.String(),
  /** `active` or `archived`; an archived one is still measured for the price plans that have it. */
  status: Type.String(),
  eventName: Type.String(),
  aggregationType: Type.String(),
  property: NullableText,
  unit: NullableText,
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
    id: exampleId(70),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(70),
      code: 'api_calls',
      name: 'API calls',
      status: 'active',
      eventName: 'api_call',
      aggregationType: 'count',
      property: null,
      unit: 'calls',
      groupBy: ['region'],
      rounding: { mode: 'half_up', scale: 2 },
    },
    notices: [],
  },
});
