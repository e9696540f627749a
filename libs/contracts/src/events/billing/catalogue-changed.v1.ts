import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/** Representation of the object as GET answers it; a tax group's additionally has `type`, `reverseChargeType` and `taxes`. */
export const CatalogueState = Type.Object({ kind: Type.String(), object: Type.Record(Type.String(), Type.Unknown()) });
export type CatalogueState = Static<typeof CatalogueState>;

export const catalogueChangedV1 = defineEvent({
  type: 'billing.catalogue.changed.v1',
  topic: 'billing.catalogue',
  description: 'A product, price plan, plan, unit, measurement, product family, tax group or billing group changed.',
  schema: stateOf(CatalogueState),
  example: {
    id: exampleId(3),
    version: 1,
    deleted: false,
    state: {
      kind: 'tax_group',
      object: {
        id: exampleId(3),
        type: 'standard',
        reverseChargeType: 'REVERSE_CHARGE',
        internalDescription: 'Standard',
      },
    },
    notices: [],
  },
});
