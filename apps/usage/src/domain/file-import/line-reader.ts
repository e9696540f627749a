import type { FileRecord, RecordReader } from './file-record.js';

const NEWLINE = 0x0a;
const BOM = '\ufeff';

/**
 * Lines of UTF-8 text. A line that is too long or no UTF-8 is reported and left out, the next one is read again. Empty
 * lines are given as they are; the carriage return of a Windows line stays, because inside a quoted cell it is data.
 */
export class LineReader implements RecordReader {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private parts: Buffer[] = [];
  private bytes = 0;
  private line = 0;

  constructor(private readonly maxBytes: number) {}

  *push(chunk: Buffer): Iterable<FileRecord> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield this.finish(chunk.subarray(from, at));
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
  }

  *end(): Iterable<FileRecord> {
    if (this.bytes > 0) yield this.finish(Buffer.alloc(0));
  }

  /** Counts all bytes of the line, and keeps them only as long as there are not too many. */
  private keep(bytes: Buffer): void {
    this.bytes += bytes.length;
    if (this.bytes > this.maxBytes) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
  }

  private finish(last: Buffer): FileRecord {
    this.keep(last);
    const line = ++this.line;
    const tooLong = this.bytes > this.maxBytes;
    const bytes = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
    this.parts = [];
    this.bytes = 0;
    if (tooLong) return { line, problem: 'line_too_long' };
    try {
      const text = this.decoder.decode(bytes);
      return { line, text: line === 1 && text.startsWith(BOM) ? text.slice(1) : text };
    } catch {
      return { line, problem: 'invalid_utf8' };
    }
  }
}

export const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);
