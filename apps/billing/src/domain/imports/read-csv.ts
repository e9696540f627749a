/** One record of a file: a line, or several where a quoted cell holds line breaks. */
export interface CsvRecord {
  /** Of its beginning; the header is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that no records can be read from. */
export class UnreadableCsv extends Error {}
/** A file with more records than wanted; the rest of it was not looked at. */
export class TooManyRecords extends Error {}

const DELIMITERS = [',', ';', '\t'] as const;
/** What some spreadsheets write before the header, and hide when they read it. */
const SEPARATOR = /^sep=([,;\t])\r?\n/i;

/** Characters of a record: more than any that means something, and few enough to be looked at in one go. */
const MAX_RECORD = 128 * 1024;

/**
 * The records of a CSV file (RFC 4180) with its header, the first one, as they are asked for. The delimiter is the one that a line
 * `sep=;` before the header names, else the one that the header has most of. Empty lines are skipped, those with nothing but spaces only
 * left out: they count. Empty cells behind the last column that has a name, which spreadsheets write, are left out.
 * @throws UnreadableCsv where a quote is not closed or a record too long, TooManyRecords
 */
export function* readCsv(text: string, maxRecords = Infinity): Iterable<CsvRecord> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const [before = '', named] = SEPARATOR.exec(content) ?? [];
  const [header = ''] = content.slice(before.length, before.length + MAX_RECORD).split(/\r?\n/, 1);
  const delimiter = named ?? DELIMITERS.reduce((a, b) => (header.split(b).length > header.split(a).length ? b : a));
  let records = 0;
  let columns: number | undefined;
  for (const { line, cells } of recordsOf(content, delimiter, before.length)) {
    if (records++ === maxRecords) throw new TooManyRecords();
    if (cells.length === 1 && cells[0] === '') continue;
    const filled = cells.findLastIndex((cell) => cell !== '') + 1;
    columns ??= filled;
    yield { line, cells: filled < cells.length ? cells.slice(0, Math.max(filled, columns)) : cells };
  }
}

function* recordsOf(text: string, delimiter: string, from: number): Iterable<CsvRecord> {
  let line = from === 0 ? 1 : 2;
  for (let at = from; at < text.length;) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')) {
      at += text[at] === '\n' ? 1 : 2;
      line += 1;
      continue;
    }
    const began = line;
    const from = at;
    const cells: string[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, began) : plainCell(text, at, delimiter);
      cells.push(cell.text);
      line += cell.breaks;
      at = cell.end;
      if (at - from > MAX_RECORD) throw new UnreadableCsv(`Line ${began} has more than ${MAX_RECORD} characters.`);
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new UnreadableCsv(`Line ${began}: after a quoted cell comes a delimiter or the end of the line.`);
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    yield { line: began, cells };
  }
}

interface Cell {
  readonly text: string;
  readonly end: number;
  readonly breaks: number;
}

function plainCell(text: string, from: number, delimiter: string): Cell {
  // One character more than a record may have: who asks sees that it is too long.
  const last = Math.min(text.length, from + MAX_RECORD + 1);
  let end = from;
  while (end < last && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(from, end).trim(), end, breaks: 0 };
}

function quotedCell(text: string, from: number, line: number): Cell {
  for (let close = text.indexOf('"', from + 1); close >= 0; close = text.indexOf('"', close + 2)) {
    if (close - from > MAX_RECORD) return { text: '', end: close + 1, breaks: 0 };
    if (text[close + 1] === '"') continue;
    const inside = text.slice(from + 1, close).replaceAll('""', '"');
    return { text: inside, end: close + 1, breaks: inside.split('\n').length - 1 };
  }
  throw new UnreadableCsv(`Line ${line}: a quote is not closed.`);
}
