import { Type } from '@sinclair/typebox';

export const customFieldSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    key: Type.String(),
    name: Type.String(),
    object: Type.String(),
    type: Type.String(),
    options: Type.Array(Type.String()),
    required: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'CustomField' },
);
