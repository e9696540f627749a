import { prepared, type Tx } from '@kontor/kernel';

/** One version of another service's object, as its copies hold it. */
export interface CopyVersion {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly data: unknown;
}

/** Stores several versions in one statement, the newest of each id, where they are newer; returns how many were. */
export async function storeCopies(tx: Tx, kind: string, copies: readonly CopyVersion[]): Promise<number> {
  const rows = newestOf(copies);
  if (rows.length === 0) return 0;
  const stored = await tx.query(
    `INSERT INTO replica AS r (tenant_id, kind, id, version, deleted, data)
     SELECT $1, $2, x.id, x.version, x.deleted, x.data
     FROM unnest($3::text[], $4::bigint[], $5::boolean[], $6::jsonb[]) AS x (id, version, deleted, data)
     ON CONFLICT (tenant_id, kind, id) DO UPDATE
       SET version = excluded.version, deleted = excluded.deleted, data = excluded.data
     WHERE r.version < excluded.version
     RETURNING 1`,
    parametersOf(tx.tenantId, kind, rows),
  );
  return stored.length;
}

const STORE_COPIES = prepared(
  'SELECT store_copies($1::uuid, $2::text, $3::text[], $4::bigint[], $5::boolean[], $6::jsonb[])',
);

/** {@link storeCopies} in a transaction of its own, by one round trip. */
export async function storeCopiesAlone(
  database: { statement(text: string, params: readonly unknown[]): Promise<unknown> },
  tenantId: string,
  kind: string,
  copies: readonly CopyVersion[],
): Promise<void> {
  await database.statement(STORE_COPIES, parametersOf(tenantId, kind, newestOf(copies)));
}

/** Always in the order of their ids, so that two writers of the same copies wait and do not deadlock. */
function newestOf(copies: readonly CopyVersion[]): CopyVersion[] {
  const newest = new Map<string, CopyVersion>();
  for (const copy of copies) if ((newest.get(copy.id)?.version ?? -1) < copy.version) newest.set(copy.id, copy);
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const parametersOf = (tenantId: string, kind: string, rows: readonly CopyVersion[]): unknown[] => [
  tenantId,
  kind,
  rows.map((row) => row.id),
  rows.map((row) => row.version),
  rows.map((row) => row.deleted),
  rows.map((row) => (row.data === null || row.data === undefined ? null : JSON.stringify(row.data))),
];
