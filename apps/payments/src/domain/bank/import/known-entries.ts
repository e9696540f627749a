import { DomainError } from '@kontor/kernel';
import { endToEndKey, type EntryIdentity, likeness, plainText } from './same-entry.js';

/** What both have when they are surely one, from the surest on; null: it says nothing about this one. */
const SURE: readonly (readonly [number, (entry: EntryIdentity) => string | null])[] = [
  [4, (entry) => entry.bankReference],
  [3, endToEndKey],
  [2, (entry) => `${entry.counterpartyIban} ${plainText(entry)}`],
  [2, plainText],
];

/** What is merely alike is compared one by one; a file that would keep a process busy with that is refused. */
const MAX_COMPARISONS = 10_000_000;
/** So many are made before others may have their turn. */
const COMPARISONS_A_STEP = 2_000;

/**
 * Ids of the entries (all of one day and amount) that known bookings stand for. What has the same words is looked up,
 * so that thousands of equal fees of a day need no longer than others.
 */
function* meet(
  entries: readonly EntryIdentity[],
  known: readonly EntryIdentity[],
  left: { comparisons: number },
): Generator<void, Set<string>> {
  const met = new Set<string>();
  const used = new Set<EntryIdentity>();
  const take = function* (entry: EntryIdentity, group: Group | undefined, sure: number): Generator<void> {
    if (!group || met.has(entry.id)) return;
    while (used.has(group.list[group.at]!)) group.at += 1;
    for (let at = group.at; at < group.list.length; at += 1) {
      spend(left);
      if (left.comparisons % COMPARISONS_A_STEP === 0) yield;
      const identity = group.list[at]!;
      if (used.has(identity) || likeness(entry, identity) !== sure) continue;
      used.add(identity);
      met.add(entry.id);
      return;
    }
  };
  const byWords = function* (
    some: readonly EntryIdentity[],
    among: readonly EntryIdentity[],
    [sure, keyOf]: (typeof SURE)[number],
  ): Generator<void> {
    yield;
    const unused = among.filter((entry) => !used.has(entry));
    const groups = new Map(
      [...groupBy(unused, keyOf)].map(([key, list]): [string | null, Group] => [key, { list, at: 0 }]),
    );
    for (const entry of some) if (keyOf(entry) !== null) yield* take(entry, groups.get(keyOf(entry)), sure);
  };
  yield* byWords(entries, known, SURE[0]!);
  // Two references of one format that differ are two bookings: those need no look.
  const isNamed = (entry: EntryIdentity): boolean => entry.bankReference !== null;
  const others = known.filter((entry) => !isNamed(entry) || entry.format !== entries[0]?.format);
  for (const level of SURE.slice(1)) {
    yield* byWords(entries.filter(isNamed), others, level);
    yield* byWords(
      entries.filter((entry) => !isNamed(entry)),
      known,
      level,
    );
  }
  const rest = (among: readonly EntryIdentity[]): Group => ({ list: among.filter((entry) => !used.has(entry)), at: 0 });
  const [restOfNamed, restOfAll] = [rest(others), rest(known)];
  for (const entry of entries) yield* take(entry, isNamed(entry) ? restOfNamed : restOfAll, 1);
  return met;
}

/** Known bookings in their order; those before `at` are used. */
interface Group {
  readonly list: readonly EntryIdentity[];
  at: number;
}

function spend(left: { comparisons: number }): void {
  left.comparisons -= 1;
  if (left.comparisons >= 0) return;
  throw new DomainError('statement_unreadable', {
    detail:
      'Too many bookings of one day and amount cannot be distinguished from those that are known: send fewer days ' +
      'in a file.',
  });
}

function groupBy<Key>(
  entries: readonly EntryIdentity[],
  keyOf: (entry: EntryIdentity) => Key,
): Map<Key, EntryIdentity[]> {
  const groups = new Map<Key, EntryIdentity[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

const bucketOf = (entry: EntryIdentity): string => `${entry.bookingDay}/${entry.amountMinor}`;

/**
 * Bookings that are known, and what else comes: statement by statement, so that overlapping ones meet each other too.
 */
export class KnownEntries {
  private readonly buckets = new Map<string, EntryIdentity[]>();
  private readonly left = { comparisons: MAX_COMPARISONS };

  constructor(known: readonly EntryIdentity[]) {
    for (const entry of known) this.add(entry);
  }

  /**
   * Ids of those entries of one statement that are new; they are known from here on. Each known booking stands for one
   * entry of the statement, the likest one: two identical transfers of a day are two bookings, and stay two however
   * often the statement comes. It yields wherever it may be interrupted.
   * @throws DomainError `statement_unreadable` when thousands of one day and amount can hardly be distinguished
   */
  *takeNew(statement: readonly EntryIdentity[]): Generator<void, Set<string>> {
    const fresh = new Set(statement.map((entry) => entry.id));
    for (const [bucket, entries] of groupBy(statement, bucketOf))
      for (const id of yield* meet(entries, this.buckets.get(bucket) ?? [], this.left)) fresh.delete(id);
    for (const entry of statement) if (fresh.has(entry.id)) this.add(entry);
    return fresh;
  }

  private add(entry: EntryIdentity): void {
    const bucket = this.buckets.get(bucketOf(entry));
    if (bucket) bucket.push(entry);
    else this.buckets.set(bucketOf(entry), [entry]);
  }
}
