import type { CopyVersion } from './store-copies.js';

/** What the owner answers about one object. */
export interface ReplicaSnapshot {
  readonly version: number;
  readonly data: unknown;
}

/** Asks the owner of a kind. service-kit sets it; it must answer or throw within two seconds. */
export interface ReplicaOwners {
  /** Objects by id; those that do not exist are missing in the map. */
  fetch(tenantId: string, kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, ReplicaSnapshot>>;
  /** All objects of a kind, with those that a new tenant starts with. */
  list(tenantId: string, kind: string): Promise<ReadonlyMap<string, ReplicaSnapshot>>;
}

/** What an owner said of one id: its object, null where it has none, or the error instead of an answer. */
export type CopyAnswer = { readonly snapshot: ReplicaSnapshot | null } | { readonly error: unknown };

/** Copies to be stored, by kind. */
export type FetchedCopies = ReadonlyMap<string, readonly CopyVersion[]>;

/**
 * Thrown inside a transaction that needs copies which are not here. Nobody waits for another service with a connection in
 * hand: `Database.tenant` rolls back, fetches them and runs the work again.
 */
export class CopiesMissing extends Error {
  constructor() {
    super('copies are missing: the transaction runs again once they are fetched');
    this.name = 'CopiesMissing';
  }
}

/** Stands for "all of the kind" among ids. */
const ALL = Symbol('all');
type Wanted = string | typeof ALL;

const IDS_PER_REQUEST = 100;
const PARALLEL_REQUESTS = 4;

/** What the work of one `Database.tenant` call needs from owners, kept over all its runs: each id is asked for once. */
export class MissingCopies {
  private readonly answers = new Map<string, Map<Wanted, CopyAnswer>>();
  private readonly open = new Map<string, Set<Wanted>>();
  private owners: ReplicaOwners | undefined;

  constructor(readonly tenantId: string) {}

  /** True while something was asked for and not fetched, also where the work has caught what {@link request} threw. */
  get isPending(): boolean {
    return this.open.size > 0;
  }

  answerTo(kind: string, id: Wanted): CopyAnswer | undefined {
    return this.answers.get(kind)?.get(id);
  }

  /** Ends this run. @throws CopiesMissing */
  request(owners: ReplicaOwners, kind: string, wanted: readonly Wanted[]): never {
    this.owners = owners;
    const open = this.open.get(kind) ?? new Set();
    for (const id of wanted) open.add(id);
    this.open.set(kind, open);
    throw new CopiesMissing();
  }

  /** Ends this run for all objects of a kind. @throws CopiesMissing */
  requestAll(owners: ReplicaOwners, kind: string): never {
    return this.request(owners, kind, [ALL]);
  }

  answerToAll(kind: string): CopyAnswer | undefined {
    return this.answerTo(kind, ALL);
  }

  /** Asks the owners for what is open, in parallel. An owner's error is an answer too: the work's next run meets it. */
  async fetch(): Promise<FetchedCopies> {
    const fetched = new Map<string, CopyVersion[]>();
    const tasks = [...this.open].flatMap(([kind, wanted]) => this.tasksOf(kind, wanted, fetched));
    this.open.clear();
    const lanes = Array.from({ length: Math.min(PARALLEL_REQUESTS, tasks.length) }, async () => {
      for (let task = tasks.shift(); task; task = tasks.shift()) await task();
    });
    await Promise.all(lanes);
    return fetched;
  }

  private tasksOf(
    kind: string,
    wanted: ReadonlySet<Wanted>,
    fetched: Map<string, CopyVersion[]>,
  ): (() => Promise<void>)[] {
    const owners = this.owners!;
    const answers = this.answers.get(kind) ?? new Map<Wanted, CopyAnswer>();
    this.answers.set(kind, answers);
    const keep = (snapshots: ReadonlyMap<string, ReplicaSnapshot>): void => {
      const copies = [...snapshots].map(([id, { version, data }]) => ({ id, version, data, deleted: false }));
      fetched.set(kind, [...(fetched.get(kind) ?? []), ...copies]);
    };
    const ids = [...wanted].filter((id) => id !== ALL);
    const tasks = chunks(ids).map((chunk) => async () => {
      try {
        const snapshots = await owners.fetch(this.tenantId, kind, chunk);
        keep(snapshots);
        for (const id of chunk) answers.set(id, { snapshot: snapshots.get(id) ?? null });
      } catch (error) {
        for (const id of chunk) answers.set(id, { error });
      }
    });
    if (!wanted.has(ALL)) return tasks;
    const all = async (): Promise<void> => {
      try {
        keep(await owners.list(this.tenantId, kind));
        answers.set(ALL, { snapshot: null });
      } catch (error) {
        answers.set(ALL, { error });
      }
    };
    return [...tasks, all];
  }
}

function chunks(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_REQUEST) parts.push(ids.slice(from, from + IDS_PER_REQUEST));
  return parts;
}

const missingOf = new WeakMap<object, MissingCopies>();

/** Connects an open transaction with what its `Database.tenant` call keeps over its runs. */
export function trackMissingCopies(tx: object, missing: MissingCopies): void {
  missingOf.set(tx, missing);
}

/** Absent for a transaction that nobody runs again. */
export const missingCopiesOf = (tx: object): MissingCopies | undefined => missingOf.get(tx);
