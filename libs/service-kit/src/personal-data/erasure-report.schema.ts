import { Type } from '@sinclair/typebox';

/** What an erasure has done, service by service. `description`: what an empty or missing part means. */
export const erasureReport = (description: string) =>
  Type.Array(
    Type.Object({
      service: Type.String({ description: 'Who keeps the data.', examples: ['invoicing'] }),
      removed: Type.Array(
        Type.Object({
          what: Type.String({ description: 'The table; `events`: the log of published events.', examples: ['mail'] }),
          count: Type.Integer({ description: 'How many rows were deleted or made empty.', examples: [3] }),
        }),
        { description: 'What is gone.' },
      ),
      kept: Type.Array(
        Type.Object({
          what: Type.String({ description: 'The table.', examples: ['invoice'] }),
          count: Type.Integer({ description: 'How many rows stay.', examples: [12] }),
          until: Type.String({ format: 'date', description: 'The last day.', examples: ['2034-12-31'] }),
          reason: Type.String({
            description: 'The law, or what it is needed for.',
            examples: ['§ 147 (1) no. 4, (3) AO, § 14b UStG'],
          }),
        }),
        { description: 'What stays, and until when.' },
      ),
      waiting: Type.Array(Type.String({ examples: ['2 rows of delivery that are in use'] }), {
        description: 'What is still to come.',
      }),
    }),
    { description },
  );
