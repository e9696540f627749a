/** Why a line of a file cannot be read. */
export type RecordProblem = 'line_too_long' | 'invalid_utf8' | 'broken_quote';

/** One record of a file with the number of its (first) line, counted from 1: its text, or why there is none. */
export type FileRecord =
  { readonly line: number; readonly text: string } | { readonly line: number; readonly problem: RecordProblem };

export const isUnreadable = (record: FileRecord): record is Extract<FileRecord, { problem: RecordProblem }> =>
  'problem' in record;

/**
 * Turns a file's bytes, as they arrive, into records; what it keeps is bounded by the longest record. Null for a line that
 * is kept: each line is a step, at which whoever reads can pause.
 */
export interface RecordReader {
  push(chunk: Buffer): Iterable<FileRecord | null>;
  /** What is left at the end of the file. */
  end(): Iterable<FileRecord | null>;
}
