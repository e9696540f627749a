import { type RawEntry, type RawStatement, UnreadableStatement } from '../../domain/bank/import/statement.js';

/** What is read back at once: so many entries, or parts of them. */
const PORTION = 1_000;
/** Parts of one entry: it is read back in one piece. */
const MAX_PARTS = 20_000;

/** A statement begins, or goes on with an entry. */
type Item = Omit<RawStatement, 'entries'> | RawEntry;

/**
 * Statements as texts that can be read one after the other: taken over from another process in one piece, a large file would hold
 * everybody up.
 * @throws UnreadableStatement
 */
export function packStatements(statements: readonly RawStatement[]): Uint8Array[] {
  const packed: Uint8Array[] = [];
  let items: Item[] = [];
  let size = 0;
  const add = (item: Item, parts: number): void => {
    items.push(item);
    if ((size += parts) >= PORTION) flush();
  };
  const flush = (): void => {
    packed.push(Buffer.from(JSON.stringify(items)));
    items = [];
    size = 0;
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
