import { type FileRecord, isUnreadable, type RecordReader } from './file-record.js';
import { LineReader, withoutReturn } from './line-reader.js';

/**
 * Records of a CSV file (RFC 4180): a line, or several where a quoted cell holds line breaks. A quote that is never
 * closed costs its own line only: reading goes on with the line after it.
 */
export class CsvReader implements RecordReader {
  private readonly lines: LineReader;
  /** Lines of a record whose quotes are still open. */
  private open: Extract<FileRecord, { text: string }>[] = [];
  private openCharacters = 0;

  constructor(private readonly maxBytes: number) {
    this.lines = new LineReader(maxBytes);
  }

  *push(chunk: Buffer): Iterable<FileRecord | null> {
    for (const line of this.lines.push(chunk)) yield* this.readLine(line);
  }

  *end(): Iterable<FileRecord | null> {
    for (const line of this.lines.end()) yield* this.readLine(line);
    while (this.open.length > 0) yield* this.giveUp();
  }

  private *readLine(line: FileRecord): Iterable<FileRecord | null> {
    if (isUnreadable(line)) {
      while (this.open.length > 0) yield* this.giveUp();
      yield line;
      return;
    }
    const isOdd = hasOddQuotes(line.text);
    if (this.open.length === 0 && !isOdd) {
      yield { line: line.line, text: withoutReturn(line.text) };
      return;
    }
    const closes = this.open.length > 0 && isOdd;
    this.open.push(line);
    this.openCharacters += line.text.length + 1;
    if (closes) {
      const record = { line: this.open[0]!.line, text: withoutReturn(this.open.map((line) => line.text).join('\n')) };
      this.open = [];
      this.openCharacters = 0;
      yield record;
    } else if (this.openCharacters > this.maxBytes) yield* this.giveUp();
    else yield null;
  }

  /** The first open line is broken; the ones after it are read again as lines of their own. */
  private *giveUp(): Iterable<FileRecord | null> {
    const [broken, ...others] = this.open;
    this.open = [];
    this.openCharacters = 0;
    yield { line: broken!.line, problem: 'broken_quote' };
    for (const line of others) yield* this.readLine(line);
  }
}

function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** The cells of one record; undefined when a quote stands where none may. */
export function splitCells(text: string, delimiter: string): string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    if (text[at] === '"') {
      let cell = '';
      for (;;) {
        const close = text.indexOf('"', at + 1);
        if (close < 0) return undefined;
        cell += text.slice(at + 1, close);
        at = close + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      if (at < text.length && text[at] !== delimiter) return undefined;
      cells.push(cell);
    } else {
      const end = text.indexOf(delimiter, at);
      const cell = text.slice(at, end < 0 ? text.length : end);
      if (cell.includes('"')) return undefined;
      cells.push(cell);
      at = end < 0 ? text.length : end;
    }
    if (at >= text.length) return cells;
    if (at === text.length - 1) return [...cells, ''];
  }
}
