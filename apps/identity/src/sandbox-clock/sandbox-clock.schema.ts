import { Type } from '@sinclair/typebox';

export const clockSchema = Type.Object(
  {
    now: Type.String({ format: 'date-time' }),
    status: Type.Unsafe<'ready' | 'advancing'>({
      type: 'string',
      enum: ['ready', 'advancing'],
      description: '`ready` when all that was due is done.',
    }),
    problems: Type.Array(Type.Unknown(), { description: 'What could not be done on the way.' }),
  },
  { $id: 'SandboxClock' },
);
