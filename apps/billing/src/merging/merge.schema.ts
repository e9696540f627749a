import { type Static, Type } from '@sinclair/typebox';
import { Instant, oneOf, orNull } from '../schema.js';

const idOf = (what: string) => Type.String({ format: 'uuid', description: what });
const Source = idOf('The customer that is, or was, merged into the other one.');
const Target = idOf('The customer that stays.');

const movedSchema = Type.Object({
  service: Type.String({ description: 'Which part of the system keeps them.' }),
  object: Type.String({ description: 'Their kind: `subscription`, `invoice`, `payment_method`.' }),
  count: Type.Integer({ minimum: 0 }),
});
export type Moved = Static<typeof movedSchema>;

export const mergePreviewSchema = Type.Object(
  {
    possible: Type.Boolean({ description: 'Whether the merge would be done as things are.' }),
    conflicts: Type.Array(
      Type.Object({
        sourceCustomerId: Source,
        code: Type.String({ description: 'Why it would not: a stable word.' }),
        message: Type.String(),
      }),
      { description: 'What speaks against it; empty: nothing.' },
    ),
    moves: Type.Array(Type.Composite([Type.Object({ sourceCustomerId: Source }), movedSchema]), {
      description: 'What would become the target’s.',
    }),
  },
  { $id: 'CustomerMergePreview' },
);
export type MergePreviewJson = Static<typeof mergePreviewSchema>;

export const mergeSchema = Type.Object(
  {
    id: idOf('Of the merge.'),
    sourceCustomerId: Source,
    targetCustomerId: Target,
    status: oneOf(['running', 'completed', 'undoing', 'undone']),
    waitingFor: Type.Array(Type.String(), { description: 'Parts of the system that have not moved everything yet.' }),
    moved: Type.Array(movedSchema, { description: 'What has become the target’s.' }),
    mergedAt: Type.String({ format: 'date-time', description: 'When it was done, on the tenant’s clock.' }),
    completedAt: orNull(Instant),
    undoneAt: Type.Union([Instant, Type.Null()], { description: 'When it was undone, on the tenant’s clock.' }),
  },
  { $id: 'CustomerMerge' },
);
export type MergeJson = Static<typeof mergeSchema>;

export const mergedObjectSchema = Type.Object(
  {
    service: Type.String({ description: 'Which part of the system keeps it.' }),
    object: Type.String({ description: 'Its kind.' }),
    id: Type.String({ description: 'Of the object that was the other customer’s before.' }),
  },
  { $id: 'MergedObject' },
);
export type MergedObjectJson = Static<typeof mergedObjectSchema>;
