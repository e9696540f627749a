import type { Sql } from '@kontor/kernel';

/** Rows of the log that one look covers. */
const STRETCH = 5_000;

export interface PublishedLog {
  /** Everything up to here is published. */
  readonly lastId: bigint;
  /** Events of the tenant in it, by type. */
  readonly published: Readonly<Record<string, number>>;
}

/** How far a tenant's log is published, as of one moment. */
export async function publishedLog(sql: Sql, tenantId: string): Promise<PublishedLog> {
  const [row] = await sql.query<{ lastId: string; published: Record<string, number> | null }>(
    `SELECT last_id::text AS "lastId",
       (SELECT json_object_agg(type, n) FROM published_count WHERE tenant_id = $1) AS published
     FROM relay_state`,
    [tenantId],
  );
  return { lastId: BigInt(row?.lastId ?? 0), published: row?.published ?? {} };
}

/**
 * Takes the content of a tenant's events that name an object (null: of all of them), up to `lastId`: their rows stay, so that the log can be counted.
 * Only for what every receiver has dealt with. Returns how many there were in the stretch after `after`, and where it ended; null at the end.
 */
export async function blankEvents(
  sql: Sql,
  { tenantId, named, after, lastId }: { tenantId: string; named: string | null; after: bigint; lastId: bigint },
): Promise<{ blanked: number; next: bigint | null }> {
  const [end] = await sql.query<{ id: string }>(
    'SELECT id::text FROM outbox WHERE id > $1 AND id <= $2 ORDER BY id OFFSET $3 LIMIT 1',
    [after.toString(), lastId.toString(), STRETCH - 1],
  );
  const upTo = end ? BigInt(end.id) : lastId;
  const blanked = await sql.query(
    `UPDATE outbox SET payload = '{}', headers = '{}'
     WHERE tenant_id = $1 AND id > $2 AND id <= $3 AND payload <> '{}'
       AND ($4::text IS NULL OR position($4 in payload) > 0 OR position($4 in headers) > 0)
     RETURNING 1`,
    [tenantId, after.toString(), upTo.toString(), named],
  );
  return { blanked: blanked.length, next: end ? upTo : null };
}

/** Large notices that name an object (null: all) are taken away; events that point to them are dealt with. Returns how many. */
export async function deleteLargeNotices(sql: Sql, tenantId: string, named: string | null): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM large_notice WHERE tenant_id = $1 AND ($2::text IS NULL OR position($2 in data::text) > 0) RETURNING 1`,
    [tenantId, named],
  );
  return rows.length;
}

/** Messages about an object that were put aside, or wait behind one that was. */
export async function countParked(sql: Sql, tenantId: string, named: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM parked WHERE tenant_id = $1 AND position($2 in envelope) > 0',
    [tenantId, named],
  );
  return row?.n ?? 0;
}

/** Forgets messages of a tenant that were put aside. Returns how many. */
export async function deleteParked(sql: Sql, tenantId: string): Promise<number> {
  return (await sql.query('DELETE FROM parked WHERE tenant_id = $1 RETURNING 1', [tenantId])).length;
}
