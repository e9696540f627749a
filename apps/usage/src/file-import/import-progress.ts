import type { ItemErrorCode } from '../domain/event-store/read-usage-event.js';
import type { RecordProblem } from '../domain/file-import/file-record.js';
import type { IngestResult } from '../event-store/ingest-request.js';

export interface ImportError {
  /** Line of the file, counted from 1; of a record of several lines the first. */
  readonly line: number;
  readonly transactionId: string | null;
  readonly code: ItemErrorCode | RecordProblem | 'invalid_json' | 'invalid_cell';
  readonly message: string;
}

export const MAX_ERRORS = 100;

/** What has been read of a file, and the results. `lines` = ingested + duplicates + failed at the end. */
export class ImportProgress {
  bytes = 0;
  lines = 0;
  ingested = 0;
  duplicates = 0;
  failed = 0;
  private readonly first: ImportError[] = [];

  /** The first errors by line; batches may end in any order. */
  get errors(): ImportError[] {
    return this.first;
  }

  fail(error: ImportError): void {
    this.failed++;
    this.keep(error);
  }

  /** `lines[i]` is the line of the batch's item `i`. */
  add(result: IngestResult, lines: readonly number[]): void {
    this.ingested += result.ingested;
    this.duplicates += result.duplicates;
    this.failed += result.failed;
    for (const { index, ...error } of result.errors) this.keep({ line: lines[index] ?? 0, ...error });
  }

  private keep(error: ImportError): void {
    if (this.first.length === MAX_ERRORS && error.line >= this.first[MAX_ERRORS - 1]!.line) return;
    this.first.push(error);
    this.first.sort((a, b) => a.line - b.line);
    this.first.length = Math.min(this.first.length, MAX_ERRORS);
  }
}
