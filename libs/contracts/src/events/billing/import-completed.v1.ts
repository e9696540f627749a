import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/** One file, imported to its end. */
export const ImportState = Type.Object({
  id: Type.String(),
  /** `customers`, `products`, `price-plans`, `subscriptions`. */
  kind: Type.String(),
  dryRun: Type.Boolean(),
  lines: Type.Integer(),
  imported: Type.Integer(),
  duplicates: Type.Integer(),
  failed: Type.Integer(),
});
export type ImportState = Static<typeof ImportState>;

export const importCompletedV1 = defineEvent({
  type: 'billing.import.completed.v1',
  topic: 'billing.import',
  description: 'A file was imported; what it holds follows as events of its own.',
  schema: stateOf(ImportState),
  example: {
    id: exampleId(6),
    version: 1,
    deleted: false,
    state: { id: exampleId(6), kind: 'customers', dryRun: false, lines: 13, imported: 12, duplicates: 1, failed: 1 },
    notices: [],
  },
});
