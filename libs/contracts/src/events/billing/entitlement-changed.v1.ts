import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/** Representation as GET answers it: of a `feature`, or of an `entitlement`. */
export const EntitlementState = Type.Object({
  kind: Type.String(),
  object: Type.Record(Type.String(), Type.Unknown()),
});
export type EntitlementState = Static<typeof EntitlementState>;

export const entitlementChangedV1 = defineEvent({
  type: 'billing.entitlement.changed.v1',
  topic: 'billing.entitlement',
  description: 'A feature changed, or what a customer is entitled to.',
  schema: stateOf(EntitlementState),
  example: {
    id: exampleId(5),
    version: 1,
    deleted: false,
    state: {
      kind: 'entitlement',
      object: {
        id: exampleId(5),
        feature: { id: 'seats', name: 'Seats', type: 'quantity' },
        value: '10',
        active: true,
        status: 'active',
      },
    },
    notices: [],
  },
});
