import type { Tx } from '@kontor/kernel';

/** What the owner answers about one object; null when it has none. */
export interface ReplicaSnapshot {
  readonly version: number;
  readonly data: unknown;
}

/** Asks the owner of a kind. service-kit sets it; it must answer or throw within two seconds. */
export type ReplicaFetcher = (tenantId: string, kind: string, id: string) => Promise<ReplicaSnapshot | null>;

interface Row {
  id: string;
  version: bigint;
  deleted: boolean;
  data: unknown;
}

/** This service's copies of other services' objects. A copy takes only newer versions, and a deletion leaves a tombstone. */
export class Replicas {
  private fetcher: ReplicaFetcher | undefined;

  /** Where a miss is asked for. */
  readThrough(fetcher: ReplicaFetcher): void {
    this.fetcher = fetcher;
  }

  /** The copy, fetched from its owner when there is none yet; null when it does not exist or is deleted. */
  async get<T>(tx: Tx, kind: string, id: string): Promise<T | null> {
    return (await this.getMany<T>(tx, kind, [id])).get(id) ?? null;
  }

  /** Copies by id; those that do not exist are missing in the map. */
  async getMany<T>(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, T>> {
    const wanted = [...new Set(ids)];
    const found = new Map<string, T>();
    if (wanted.length === 0) return found;
    const rows = await tx.query<Row>('SELECT id, deleted, data FROM replica WHERE tenant_id = $1 AND kind = $2 AND id = ANY($3::text[])', [
      tx.tenantId,
      kind,
      wanted,
    ]);
    const known = new Set(rows.map((row) => row.id));
    for (const row of rows) if (!row.deleted) found.set(row.id, row.data as T);
    for (const id of wanted) {
      if (known.has(id)) continue;
      const data = await this.fetch<T>(tx, kind, id);
      if (data !== null) found.set(id, data);
    }
    return found;
  }

  /** All copies of a kind that are not deleted, by id. */
  async all<T>(tx: Tx, kind: string): Promise<T[]> {
    const rows = await tx.query<{ data: T }>('SELECT data FROM replica WHERE tenant_id = $1 AND kind = $2 AND NOT deleted ORDER BY id', [
      tx.tenantId,
      kind,
    ]);
    return rows.map((row) => row.data);
  }

  /** Copies of a kind whose data contain `match`, by id: `{ customerId }`. */
  async matching<T>(tx: Tx, kind: string, match: Readonly<Record<string, unknown>>): Promise<T[]> {
    const rows = await tx.query<{ data: T }>(
      'SELECT data FROM replica WHERE tenant_id = $1 AND kind = $2 AND NOT deleted AND data @> $3::jsonb ORDER BY id',
      [tx.tenantId, kind, JSON.stringify(match)],
    );
    return rows.map((row) => row.data);
  }

  /** Takes a version; false when the copy already is as new. */
  async apply(tx: Tx, kind: string, id: string, version: number, data: unknown, deleted: boolean): Promise<boolean> {
    return (await this.applyMany(tx, kind, [{ id, version, data, deleted }])) > 0;
  }

  /** Takes several versions in one statement, the newest of each id; returns how many were newer. */
  async applyMany(
    tx: Tx,
    kind: string,
    items: readonly { id: string; version: number; data: unknown; deleted: boolean }[],
  ): Promise<number> {
    const newest = new Map<string, (typeof items)[number]>();
    for (const item of items) if ((newest.get(item.id)?.version ?? -1) < item.version) newest.set(item.id, item);
    const rows = [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (rows.length === 0) return 0;
    const taken = await tx.query(
      `INSERT INTO replica AS r (tenant_id, kind, id, version, deleted, data)
       SELECT $1, $2, x.id, x.version, x.deleted, x.data FROM unnest($3::text[], $4::bigint[], $5::boolean[], $6::jsonb[]) AS x (id, version, deleted, data)
       ON CONFLICT (tenant_id, kind, id) DO UPDATE SET version = excluded.version, deleted = excluded.deleted, data = excluded.data
       WHERE r.version < excluded.version RETURNING 1`,
      [
        tx.tenantId,
        kind,
        rows.map((row) => row.id),
        rows.map((row) => row.version),
        rows.map((row) => row.deleted),
        rows.map((row) => (row.data === null || row.data === undefined ? null : JSON.stringify(row.data))),
      ],
    );
    return taken.length;
  }

  /** The version of a copy, tombstones included; 0 when there is none. */
  async versionOf(tx: Tx, kind: string, id: string): Promise<number> {
    const rows = await tx.query<{ version: bigint }>('SELECT version FROM replica WHERE tenant_id = $1 AND kind = $2 AND id = $3', [
      tx.tenantId,
      kind,
      id,
    ]);
    return Number(rows[0]?.version ?? 0n);
  }

  /** The copy in at least the version that an event relies on, else freshly from the owner. */
  async atLeast<T>(tx: Tx, kind: string, id: string, version: number): Promise<T | null> {
    if ((await this.versionOf(tx, kind, id)) >= version) return this.get<T>(tx, kind, id);
    return this.fetch<T>(tx, kind, id);
  }

  private async fetch<T>(tx: Tx, kind: string, id: string): Promise<T | null> {
    const snapshot = await this.fetcher?.(tx.tenantId, kind, id);
    if (!snapshot) return null;
    // A read-only transaction uses what it was told; the event or the next writer keeps it.
    if (!(tx as { readOnly?: boolean }).readOnly) await this.apply(tx, kind, id, snapshot.version, snapshot.data, false);
    return snapshot.data as T;
  }
}
