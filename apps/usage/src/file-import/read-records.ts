import { validationFailed } from '@kontor/kernel';
import { CellError, type CsvColumns, eventOf, readHeader } from '../domain/file-import/csv-columns.js';
import { CsvReader, splitCells } from '../domain/file-import/csv-reader.js';
import { type FileRecord, isUnreadable, type RecordProblem } from '../domain/file-import/file-record.js';
import { LineReader } from '../domain/file-import/line-reader.js';
import type { ImportError } from './import-progress.js';

export type ImportFormat = 'csv' | 'ndjson';

/** One line of the file: the event it holds, as it came, or what is wrong with it. `bytes` is about its size. */
export type ReadRecord = { readonly line: number; readonly item: unknown; readonly bytes: number } | ImportError;

export const isError = (record: ReadRecord): record is ImportError => 'code' in record;

/** What some spreadsheets write before the header, and hide when they read it. */
const SEPARATOR = /^sep=[,;\t]\s*$/i;

/** Longest line, or record of several lines. */
const MAX_RECORD_BYTES = 1024 * 1024;

const PROBLEMS: Record<RecordProblem, string> = {
  line_too_long: 'The line is longer than 1 MiB.',
  invalid_utf8: 'The line is not UTF-8.',
  broken_quote: 'A quote is not closed, or stands inside a cell that does not begin with one.',
};

/**
 * Reads a file of events record by record, as its bytes arrive; null for a line that is none, so that whoever reads can pause at each line.
 * @throws DomainError 422 `validation_failed` for a CSV header that cannot be used: nothing of such a file is imported.
 */
export class RecordsOfFile {
  private readonly reader;
  private columns: CsvColumns | undefined;

  constructor(private readonly format: ImportFormat) {
    this.reader = format === 'csv' ? new CsvReader(MAX_RECORD_BYTES) : new LineReader(MAX_RECORD_BYTES);
  }

  *push(chunk: Buffer): Iterable<ReadRecord | null> {
    for (const record of this.reader.push(chunk)) yield* this.read(record);
  }

  *end(): Iterable<ReadRecord | null> {
    for (const record of this.reader.end()) yield* this.read(record);
  }

  private *read(record: FileRecord | null): Iterable<ReadRecord | null> {
    if (record === null) return yield null;
    const isHeader = this.format === 'csv' && !this.columns;
    if (isUnreadable(record)) {
      if (isHeader)
        throw validationFailed('file', `The header cannot be read: ${PROBLEMS[record.problem]}`, record.problem);
      yield { line: record.line, transactionId: null, code: record.problem, message: PROBLEMS[record.problem] };
    } else if (record.text.trim() === '' || (isHeader && SEPARATOR.test(record.text))) yield null;
    else if (isHeader) this.columns = columnsOf(record.text);
    else yield this.columns ? csvRecord(record, this.columns) : jsonRecord(record);
  }
}

function columnsOf(text: string): CsvColumns {
  const columns = readHeader(text, splitCells);
  if (typeof columns === 'string') throw validationFailed('file', columns, 'invalid_header');
  return columns;
}

interface Readable {
  readonly line: number;
  readonly text: string;
}

function jsonRecord({ line, text }: Readable): ReadRecord {
  try {
    return { line, item: JSON.parse(text) as unknown, bytes: text.length };
  } catch {
    return { line, transactionId: null, code: 'invalid_json', message: 'The line is not readable JSON.' };
  }
}

function csvRecord({ line, text }: Readable, columns: CsvColumns): ReadRecord {
  const cells = splitCells(text, columns.delimiter);
  if (!cells) return { line, transactionId: null, code: 'broken_quote', message: PROBLEMS.broken_quote };
  try {
    return { line, item: eventOf(cells, columns), bytes: text.length };
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    const at = columns.columns.findIndex((column) => column.kind === 'field' && column.name === 'transactionId');
    return { line, transactionId: cells[at] || null, code: 'invalid_cell', message: error.message };
  }
}
