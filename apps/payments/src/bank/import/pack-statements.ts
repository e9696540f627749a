import { type RawEntry, type RawStatement, UnreadableStatement } from '../../domain/bank/import/statement.js';

/** What is read back at once: so many entries, or parts of them, or about so many characters. */
const PORTION = 1_000;
const PORTION_LENGTH = 1_000_000;
/** Parts of one entry: it is read back in one piece. */
const MAX_PARTS = 20_000;
/** Of one text; no more of any is kept. A file says some once for all of its entries. */
const MAX_TEXT = 4_000;
/** Of one entry, and of all that is taken over: several times what the largest files of banks are. */
const MAX_ENTRY = 32 * 1024 * 1024;
const MAX_LENGTH = 128 * 1024 * 1024;

/** A statement begins, or goes on with an entry. */
type Item = Omit<RawStatement, 'entries'> | RawEntry;

/**
 * Statements as texts that can be read one after the other: taken over from another process in one piece, a large file would hold
 * everybody up.
 * @throws UnreadableStatement
 */
export function packStatements(statements: readonly RawStatement[]): Uint8Array[] {
  const packed: Uint8Array[] = [];
  let items: string[] = [];
  let [parts, length, total] = [0, 0, 0];
  const flush = (): void => {
    packed.push(Buffer.from(`[${items.join()}]`));
    items = [];
    [parts, length] = [0, 0];
  };
  const add = (item: Item, itsParts: number): void => {
    const text = JSON.stringify(item, cutTexts);
    if (text.length > MAX_ENTRY || (total += text.length) > MAX_LENGTH)
      throw new UnreadableStatement(`The ${item.name} is too much to be imported: send smaller files.`);
    items.push(text);
    if ((parts += itsParts) >= PORTION || (length += text.length) >= PORTION_LENGTH) flush();
  };
  for (const { entries, ...statement } of statements) {
    add(statement, 1);
    for (const entry of entries) {
      if (entry.details.length > MAX_PARTS)
        throw new UnreadableStatement(`The ${entry.name} has more than ${MAX_PARTS} parts.`);
      add(entry, entry.details.length + 1);
    }
  }
  flush();
  return packed;
}

/** Characters are left out, and texts cut to what is kept, when an entry is checked. */
const cutTexts = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;

/** What {@link packStatements} has packed, text by text. */
export function* unpackStatements(packed: readonly Uint8Array[]): Generator<void, RawStatement[]> {
  const statements: (Omit<RawStatement, 'entries'> & { entries: RawEntry[] })[] = [];
  for (const text of packed) {
    for (const item of JSON.parse(Buffer.from(text).toString('utf8')) as Item[]) {
      if ('details' in item) statements.at(-1)!.entries.push(item);
      else statements.push({ ...item, entries: [] });
    }
    yield;
  }
  return statements;
}
