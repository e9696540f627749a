import { type Static, Type } from '@sinclair/typebox';
import { MAX_ERRORS } from './import-progress.js';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const UsageImport = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: Type.Union(
      (['running', 'completed', 'interrupted', 'failed'] as const).map((status) => Type.Literal(status)),
      {
        description:
          'interrupted: the upload was interrupted, send it again under the same id; failed: the file as a whole cannot be used.',
      },
    ),
    format: Type.Union([Type.Literal('csv'), Type.Literal('ndjson')]),
    bytes: Count('How many bytes were read so far.'),
    lines: Count('How many records were read so far, without header and empty lines.'),
    ingested: Count('How many events were new.'),
    duplicates: Count('How many events were known.'),
    failed: Count('How many records were refused.'),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 1 }),
        transactionId: Type.Union([Type.String(), Type.Null()]),
        code: Type.String(),
        message: Type.String(),
      }),
      { maxItems: MAX_ERRORS, description: 'The first ones of the file.' },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { $id: 'UsageImport' },
);
export type UsageImportJson = Static<typeof UsageImport>;

export const UsageImportList = Type.Object({ data: Type.Array(UsageImport) });

export const UsageImportFile = Type.Object(
  { file: Type.String({ format: 'binary' }) },
  { additionalProperties: false },
);
