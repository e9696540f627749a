import { invariant, prepared, type Tx } from '@kontor/kernel';

/** A copy as it is stored; a deletion leaves a tombstone with the last version. */
export interface ReplicaCopy<T> {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  /** Null where it is deleted. */
  readonly data: T | null;
}

const SELECT_COPIES =
  'SELECT id, version, deleted, data FROM replica WHERE tenant_id = $1 AND kind = $2 AND id = ANY($3::text[])';
const COPIES = prepared(SELECT_COPIES);
const HELD_COPIES = prepared(`${SELECT_COPIES} ORDER BY id FOR KEY SHARE`);

/** Reads this service's copies as far as they are here; their owners are never asked. */
export class ReplicaReader {
  /** Copies by id, tombstones included; those that are not here are missing in the map. */
  copies<T>(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, ReplicaCopy<T>>> {
    return read(tx, COPIES, kind, ids);
  }

  /** {@link copies} that are held until the transaction ends. Newer versions are stored meanwhile; {@link awaitHolders} waits. */
  heldCopies<T>(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, ReplicaCopy<T>>> {
    return read(tx, HELD_COPIES, kind, ids);
  }

  /** Waits for transactions that hold a copy, and keeps others from holding it until this one ends. */
  async awaitHolders(tx: Tx, kind: string, id: string): Promise<void> {
    await tx.query('SELECT 1 FROM replica WHERE tenant_id = $1 AND kind = $2 AND id = $3 FOR UPDATE', [
      tx.tenantId,
      kind,
      id,
    ]);
  }

  /** Data of the copies that are here and not deleted, by id. */
  async dataOf<T>(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, T>> {
    const copies = await this.copies<T>(tx, kind, ids);
    return new Map([...copies].flatMap(([id, { deleted, data }]) => (deleted ? [] : [[id, data as T] as const])));
  }

  /** All copies of a kind that are not deleted, by id. */
  async all<T>(tx: Tx, kind: string): Promise<T[]> {
    const rows = await tx.query<{ data: T }>(
      'SELECT data FROM replica WHERE tenant_id = $1 AND kind = $2 AND NOT deleted ORDER BY id',
      [tx.tenantId, kind],
    );
    return rows.map((row) => row.data);
  }

  /** Copies of a kind whose data contain `match`, by id: `{ customerId }`. */
  async matching<T>(tx: Tx, kind: string, match: Readonly<Record<string, unknown>>): Promise<T[]> {
    const rows = await tx.query<{ data: T }>(
      `SELECT data FROM replica
       WHERE tenant_id = $1 AND kind = $2 AND NOT deleted AND data @> $3::jsonb
       ORDER BY id`,
      [tx.tenantId, kind, JSON.stringify(match)],
    );
    return rows.map((row) => row.data);
  }

  /** Copies of a kind in which a text field has one of the values, by id. */
  async byField<T>(tx: Tx, kind: string, field: string, values: readonly string[]): Promise<T[]> {
    if (values.length === 0) return [];
    const rows = await tx.query<{ data: T }>(
      `SELECT data FROM replica
       WHERE tenant_id = $1 AND kind = $2 AND NOT deleted AND data->>$3 = ANY($4::text[])
       ORDER BY id`,
      [tx.tenantId, kind, field, [...new Set(values)]],
    );
    return rows.map((row) => row.data);
  }

  /** Ids of copies by what a `replicaColumn` of them holds. */
  async idsByColumn(tx: Tx, column: string, values: readonly string[]): Promise<Map<string, string>> {
    invariant(/^[a-z_]+$/.test(column), `"${column}" is no name of a column`);
    const rows = await tx.query<{ value: string; id: string }>(
      `SELECT ${column} AS value, id FROM replica
       WHERE tenant_id = $1 AND ${column} = ANY($2::text[]) AND NOT deleted`,
      [tx.tenantId, [...new Set(values)]],
    );
    return new Map(rows.map(({ value, id }) => [value, id]));
  }

  /** Those of the ids whose copies have something in a field. */
  async idsWith(tx: Tx, kind: string, field: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM replica
       WHERE tenant_id = $1 AND kind = $2 AND id = ANY($3::text[]) AND data->>$4 IS NOT NULL`,
      [tx.tenantId, kind, [...new Set(ids)], field],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The version of a copy, tombstones included; 0 when there is none. */
  async versionOf(tx: Tx, kind: string, id: string): Promise<number> {
    return (await this.versionsOf(tx, kind, [id])).get(id) ?? 0;
  }

  /** Versions of the copies that are here, tombstones included, by id. */
  async versionsOf(tx: Tx, kind: string, ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: string; version: bigint }>(
      'SELECT id, version FROM replica WHERE tenant_id = $1 AND kind = $2 AND id = ANY($3::text[])',
      [tx.tenantId, kind, [...new Set(ids)]],
    );
    return new Map(rows.map((row) => [row.id, Number(row.version)]));
  }
}

async function read<T>(
  tx: Tx,
  statement: string,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, ReplicaCopy<T>>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<{ id: string; version: bigint; deleted: boolean; data: T | null }>(statement, [
    tx.tenantId,
    kind,
    wanted,
  ]);
  return new Map(rows.map((row) => [row.id, { ...row, version: Number(row.version) }]));
}
