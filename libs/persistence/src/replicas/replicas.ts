import type { Tx } from '@kontor/kernel';
import { missingCopiesOf, type ReplicaOwners } from './missing-copies.js';
import { type ReplicaCopy, ReplicaReader } from './replica-reader.js';
import { type CopyVersion, storeCopies } from './store-copies.js';

/**
 * This service's copies of other services' objects. A copy takes only newer versions, and a deletion leaves a tombstone.
 *
 * What is not here is fetched from its owner, never inside the transaction: it ends, `Database.tenant` fetches all that was
 * asked for, and the work runs again from its start. An owner that does not answer is met as its error by the second run.
 */
export class Replicas extends ReplicaReader {
  private owners: ReplicaOwners | undefined;

  /** Where a miss is asked for; with null, what was not copied does not exist. */
  readThrough(owners: ReplicaOwners | null): void {
    this.owners = owners ?? undefined;
  }

  /** The copy, fetched from its owner when there is none yet; null when it does not exist or is deleted. */
  async get<T>(tx: Tx, kind: string, id: string): Promise<T | null> {
    return (await this.getMany<T>(tx, kind, [id])).get(id) ?? null;
  }

  /**
   * Copies by id, all missing ones fetched together; those that do not exist are missing in the map, and those whose owner
   * fails in a way that `tolerates`.
   */
  async getMany<T>(
    tx: Tx,
    kind: string,
    ids: readonly string[],
    tolerates?: (error: unknown) => boolean,
  ): Promise<Map<string, T>> {
    return this.atLeastMany<T>(tx, kind, new Map(ids.map((id) => [id, 0])), tolerates);
  }

  /**
   * {@link get} for who is about to refer to the object: until the transaction ends the service does not release it
   * ({@link release}), so that its owner does not delete it. @see docs/adr/0040-who-is-deleted-is-released-first.md
   */
  async hold<T>(tx: Tx, kind: string, id: string): Promise<T | null> {
    return (await this.holdMany<T>(tx, kind, [id])).get(id) ?? null;
  }

  /** {@link hold} for several. */
  holdMany<T>(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, T>> {
    return this.found(tx, kind, new Map(ids.map((id) => [id, 0])), () => this.heldCopies<T>(tx, kind, ids));
  }

  /** The copy in at least the version that an event relies on, else freshly from the owner. */
  async atLeast<T>(tx: Tx, kind: string, id: string, version: number): Promise<T | null> {
    return (await this.atLeastMany<T>(tx, kind, new Map([[id, version]]))).get(id) ?? null;
  }

  /** {@link getMany} with the least version of each. */
  async atLeastMany<T>(
    tx: Tx,
    kind: string,
    versions: ReadonlyMap<string, number>,
    tolerates?: (error: unknown) => boolean,
  ): Promise<Map<string, T>> {
    return this.found(tx, kind, versions, () => this.copies<T>(tx, kind, [...versions.keys()]), tolerates);
  }

  private async found<T>(
    tx: Tx,
    kind: string,
    versions: ReadonlyMap<string, number>,
    read: () => Promise<Map<string, ReplicaCopy<T>>>,
    tolerates: (error: unknown) => boolean = () => false,
  ): Promise<Map<string, T>> {
    const copies = await read();
    const missing = missingCopiesOf(tx);
    const isHere = (id: string): boolean => (copies.get(id)?.version ?? -1) >= versions.get(id)!;
    const absent = [...versions.keys()].filter((id) => !isHere(id));
    const unasked = absent.filter((id) => missing?.answerTo(kind, id) === undefined);
    if (this.owners && missing && unasked.length > 0) missing.request(this.owners, kind, unasked);
    for (const id of absent) {
      const answer = missing?.answerTo(kind, id);
      if (answer && 'error' in answer) {
        if (!tolerates(answer.error)) throw answer.error;
        continue;
      }
      // The owner has none (any more), whatever an older copy says.
      if (!answer?.snapshot) copies.delete(id);
    }
    return new Map([...copies].flatMap(([id, { deleted, data }]) => (deleted ? [] : [[id, data as T] as const])));
  }

  /**
   * All copies of a kind that are not deleted, by id. Where `isEnough` says no, the owner's are fetched: the events about what
   * a new tenant starts with may still be on their way.
   */
  async allUntil<T>(tx: Tx, kind: string, isEnough: (copies: readonly T[]) => boolean): Promise<T[]> {
    const copies = await this.all<T>(tx, kind);
    const missing = missingCopiesOf(tx);
    if (isEnough(copies) || !this.owners || !missing) return copies;
    const answer = missing.answerToAll(kind);
    if (answer === undefined) return missing.requestAll(this.owners, kind);
    if ('error' in answer) throw answer.error;
    return copies;
  }

  /** Stores a version; false when the copy already is as new. */
  async apply(tx: Tx, kind: string, id: string, version: number, data: unknown, deleted: boolean): Promise<boolean> {
    return (await storeCopies(tx, kind, [{ id, version, data, deleted }])) > 0;
  }

  /**
   * From the end of this transaction on nobody refers to the object any more, and whoever was about to has ended: what refers to it can
   * be looked for. `version` is that of its deletion. An object that is not deleted after all comes back with its next version.
   */
  async release(tx: Tx, kind: string, id: string, version: number): Promise<void> {
    await this.apply(tx, kind, id, version, null, true);
    await this.awaitHolders(tx, kind, id);
  }

  /** Stores several versions in one statement, the newest of each id; returns how many were newer. */
  applyMany(tx: Tx, kind: string, copies: readonly CopyVersion[]): Promise<number> {
    return storeCopies(tx, kind, copies);
  }
}
