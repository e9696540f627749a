import { Type } from '@sinclair/typebox';

export const clockSchema = Type.Object(
  {
    now: Type.String({ format: 'date-time' }),
    status: Type.Unsafe<'ready' | 'advancing'>({
      type: 'string',
      enum: ['ready', 'advancing'],
      description: '`ready` when all that was due is done.',
    }),
    problems: Type.Array(
      Type.Object({
        code: Type.String({
          enum: ['message_parked', 'due_work_failed', 'not_quiescent', 'service_unavailable'],
          description: 'What kind of problem it is.',
        }),
        service: Type.String({ description: 'Where it is.' }),
        detail: Type.String({ description: 'For people.' }),
      }),
      { description: 'What could not be done on the way.' },
    ),
  },
  { $id: 'SandboxClock' },
);
