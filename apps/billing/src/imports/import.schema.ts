import { type Static, Type } from '@sinclair/typebox';
import { IMPORT_KINDS, type ImportLineRow, type ImportRow, LINE_STATUSES } from '../db/import.row.js';
import { Instant, oneOf, orNull, TextOrNull, Uuid } from '../schema.js';

export const importSchema = Type.Object(
  {
    id: Uuid,
    kind: oneOf(IMPORT_KINDS),
    dryRun: Type.Boolean(),
    fileName: TextOrNull,
    status: oneOf(['running', 'completed']),
    lines: Type.Integer({ description: 'How many lines the file has, without its header.' }),
    processed: Type.Integer({ description: 'How many of them are done.' }),
    imported: Type.Integer({ description: 'How many were imported; in a dry run: would be.' }),
    duplicates: Type.Integer({ description: 'How many of the failed ones are there already.' }),
    failed: Type.Integer(),
    createdAt: Instant,
    completedAt: orNull(Instant),
  },
  { $id: 'Import' },
);
export type ImportJson = Static<typeof importSchema>;

export const importLineSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Line of the file from 1, as an editor counts them: the header is line 1.' }),
    status: oneOf(LINE_STATUSES),
    objectId: orNull(Uuid),
    code: TextOrNull,
    message: TextOrNull,
    propertyPath: TextOrNull,
    cells: Type.Record(Type.String(), Type.String(), { description: 'By column; empty ones are left out.' }),
  },
  { $id: 'ImportLine' },
);
export type ImportLineJson = Static<typeof importLineSchema>;

export const importFormSchema = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description:
        'CSV in UTF-8 with a header, at most 20 MiB, 200,000 lines and 200 columns, 131,072 characters a line; delimiters: , ; tab.',
    }),
    dryRun: Type.Optional(Type.Boolean({ description: 'True: every line is checked, and nothing stays.' })),
  },
  { additionalProperties: false },
);

export const representImport = (row: ImportRow): ImportJson => ({
  id: row.id,
  kind: row.kind,
  dryRun: row.dryRun,
  fileName: row.fileName,
  status: row.status,
  lines: row.lines,
  processed: row.imported + row.failed,
  imported: row.imported,
  duplicates: row.duplicates,
  failed: row.failed,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
});

export const representLine = (row: ImportLineRow): ImportLineJson => ({
  line: row.line,
  status: row.status,
  objectId: row.objectId,
  code: row.code,
  message: row.message,
  propertyPath: row.propertyPath,
  cells: row.cells,
});
