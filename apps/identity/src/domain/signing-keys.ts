/** When a key came. */
export interface DatedKey {
  readonly kid: string;
  readonly createdAt: Date;
}

/** A new key is published for so long before anything is signed with it: receivers keep a key set for a while. */
const PUBLISHED_FIRST_MS = 3_600_000;
/** A key is published for so long after the next one began to sign: longer than any token lasts. */
const PUBLISHED_AFTER_MS = 2 * 3_600_000;

/**
 * The keys that are published, the one that signs first: the newest that has been published for an hour, else the oldest. Those
 * that no valid token can be signed with are left out.
 */
export function publishedKeys<K extends DatedKey>(keys: readonly K[], now: Date): K[] {
  const newestFirst = [...keys].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const signsSince = (key: K): number => key.createdAt.getTime() + PUBLISHED_FIRST_MS;
  const at = newestFirst.findIndex((key) => signsSince(key) <= now.getTime());
  const signing = at < 0 ? newestFirst.length - 1 : at;
  const isNeeded = (_key: K, index: number): boolean =>
    index <= signing || signsSince(newestFirst[index - 1]!) + PUBLISHED_AFTER_MS > now.getTime();
  const needed = newestFirst.filter(isNeeded);
  const first = newestFirst[signing];
  return first ? [first, ...needed.filter((key) => key !== first)] : [];
}
