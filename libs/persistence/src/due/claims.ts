import { saysLostConnection, saysOutage, type Sql, storableText } from '@kontor/kernel';
import { NOT_CLOSED } from '../closed-tenant.js';
import { type DueItem, HELD, heldParameters, isPast } from './due-work.js';

/** Items of one tenant and kind that this runner holds. */
export interface Claim {
  readonly tenantId: string;
  readonly kind: string;
  readonly items: readonly DueItem[];
  /** The tenant's frozen time, null on real time. */
  readonly frozenAt: Date | null;
}

/** How long a claim lasts without renewal, in seconds of database time: so long a dead process keeps its work from others. */
export const LEASE_SECONDS = 12;

interface Row {
  tenant_id: string;
  kind: string;
  ref: string;
  due_at: Date;
  token: bigint;
  wall: boolean;
  now: Date | null;
}

const LOCKED = 'FOR UPDATE SKIP LOCKED';
const FREE = `${isPast('lease_until')} AND ${isPast('retry_at')} AND ${NOT_CLOSED}`;

/** `candidates` is locked where each of its rows is found: `LOCKED`. */
const claim = (candidates: string): string => `
  WITH due AS (${candidates}),
  held AS (
    UPDATE due_work d
    SET token = nextval('due_work_token'), lease_until = now() + interval '${LEASE_SECONDS} seconds', rescheduled = false
    FROM due WHERE d.tenant_id = due.tenant_id AND d.kind = due.kind AND d.ref = due.ref
    RETURNING d.tenant_id, d.kind, d.ref, d.due_at, d.token, d.wall)
  SELECT held.*, c.now FROM held LEFT JOIN tenant_clock c USING (tenant_id) ORDER BY held.due_at, held.ref`;

/** Claims what real time has reached, oldest first, across tenants: of each kind at most `limit`. What waits of one is not read for another. */
export async function claimPolled(sql: Sql, kinds: readonly string[], limit: number): Promise<Claim[]> {
  const rows = await sql.query<Row>(
    claim(
      `SELECT oldest.* FROM unnest($1::text[]) AS one (kind) CROSS JOIN LATERAL (
         SELECT tenant_id, kind, ref FROM due_work
         WHERE kind = one.kind AND poll_at <= now() AND poll_at IS NOT NULL AND ${FREE}
         ORDER BY poll_at LIMIT $2 ${LOCKED}) oldest`,
    ),
    [kinds, limit],
  );
  return group(await releaseFrozen(sql, rows));
}

/**
 * Claims of one kind for tenants in turn, the same number for each of them, its oldest first: for when more is due than is done,
 * so that who has much of it keeps nobody waiting. It goes from tenant to tenant, whatever each of them has, by one step in an
 * index. With more tenants than `limit`, the next call begins `after` the last one. Nothing is claimed of those that are `resting`.
 */
export async function claimInTurn(
  sql: Sql,
  kind: string,
  limit: number,
  after: string,
  resting: readonly string[] = [],
): Promise<Claim[]> {
  const next = (after: string): string => `
    SELECT tenant_id, poll_at FROM due_work
    WHERE kind = $1 AND tenant_id > ${after} AND poll_at IS NOT NULL ORDER BY tenant_id, poll_at LIMIT 1`;
  const rows = await sql.query<Row>(
    claim(
      `WITH RECURSIVE walk AS (
         (${next('$3::uuid')})
         UNION ALL
         SELECT further.* FROM walk CROSS JOIN LATERAL (${next('walk.tenant_id')}) further),
       turn AS MATERIALIZED (SELECT tenant_id FROM walk WHERE poll_at <= now() AND tenant_id <> ALL($4::uuid[]) LIMIT $2)
       SELECT oldest.* FROM turn CROSS JOIN LATERAL (
         SELECT tenant_id, kind, ref FROM due_work
         WHERE kind = $1 AND due_work.tenant_id = turn.tenant_id AND poll_at <= now() AND poll_at IS NOT NULL AND ${FREE}
         ORDER BY poll_at LIMIT (SELECT ceil($2::numeric / count(*)) FROM turn) ${LOCKED}) oldest`,
    ),
    [kind, limit, after, resting],
  );
  return group(await releaseFrozen(sql, rows));
}

/** Claims what is due in one tenant up to and including `upTo` on its own clock. */
export async function claimUpTo(
  sql: Sql,
  tenantId: string,
  kinds: readonly string[],
  upTo: Date,
  limit: number,
): Promise<Claim[]> {
  const rows = await sql.query<Row>(
    claim(
      `SELECT tenant_id, kind, ref FROM due_work
       WHERE tenant_id = $1 AND NOT wall AND kind = ANY($2::text[]) AND due_at <= $3 AND ${FREE}
       ORDER BY due_at, ref LIMIT $4 ${LOCKED}`,
    ),
    [tenantId, kinds, upTo, limit],
  );
  return group(rows.map((row) => ({ ...row, now: upTo })));
}

/** A row that was scheduled on real time while its tenant's clock was being frozen: it waits for the clock instead. */
async function releaseFrozen(sql: Sql, rows: Row[]): Promise<Row[]> {
  const early = rows.filter((row) => !row.wall && row.now !== null && row.due_at > row.now);
  if (early.length === 0) return rows;
  await sql.query(
    `UPDATE due_work d SET poll_at = NULL, lease_until = NULL FROM unnest($1::bigint[]) AS x (token)
     WHERE d.token = x.token AND d.tenant_id = ANY($2::uuid[])`,
    [early.map((row) => row.token.toString()), early.map((row) => row.tenant_id)],
  );
  return rows.filter((row) => !early.includes(row));
}

function group(rows: readonly Row[]): Claim[] {
  const groups = new Map<string, Claim & { items: DueItem[] }>();
  for (const row of rows) {
    const key = `${row.tenant_id}\n${row.kind}`;
    let found = groups.get(key);
    if (!found) groups.set(key, (found = { tenantId: row.tenant_id, kind: row.kind, items: [], frozenAt: row.now }));
    found.items.push({ ref: row.ref, dueAt: row.due_at, token: row.token });
  }
  return [...groups.values()];
}

const parameters = ({ tenantId, kind, items }: Claim): unknown[] => heldParameters(tenantId, kind, items);

/** Most of them at once: what renews has ended long before the next lease does. */
const RENEWED_AT_ONCE = 2_000;

/**
 * Prolongs what is still held, by few statements: by one for each claim, leases end before it is their turn where a round trip takes long. What
 * somebody has locked is being ended or moved, and keeps none of the others waiting.
 */
export async function renew(sql: Sql, claims: readonly Claim[]): Promise<void> {
  const held = claims.flatMap(({ tenantId, kind, items }) =>
    items.map(({ ref, token }) => ({ tenantId, kind, ref, token: token.toString() })),
  );
  for (let from = 0; from < held.length; from += RENEWED_AT_ONCE) {
    const part = held.slice(from, from + RENEWED_AT_ONCE);
    await sql.query(
      `WITH held AS MATERIALIZED (
         SELECT d.tenant_id, d.kind, d.ref
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS h (tenant_id, kind, ref, token)
         JOIN due_work d USING (tenant_id, kind, ref)
         WHERE d.token = h.token AND d.lease_until IS NOT NULL
         FOR UPDATE OF d SKIP LOCKED)
       UPDATE due_work d SET lease_until = now() + interval '${LEASE_SECONDS} seconds'
       FROM held WHERE d.tenant_id = held.tenant_id AND d.kind = held.kind AND d.ref = held.ref`,
      [
        part.map(({ tenantId }) => tenantId),
        part.map(({ kind }) => kind),
        part.map(({ ref }) => ref),
        part.map(({ token }) => token),
      ],
    );
  }
}

/** Those of a claim's items that are neither ended nor lost. */
export async function stillHeld(sql: Sql, c: Claim): Promise<DueItem[]> {
  const refs = new Set(
    (await sql.query<{ ref: string }>(`SELECT ref FROM due_work WHERE ${HELD}`, parameters(c))).map((row) => row.ref),
  );
  return c.items.filter((item) => refs.has(item.ref));
}

/** Releases items that nobody began to work on. */
export async function release(sql: Sql, c: Claim): Promise<void> {
  await sql.query(`UPDATE due_work SET lease_until = NULL, rescheduled = false WHERE ${HELD}`, parameters(c));
}

const STATEMENT_TOO_LONG = '57014';
const LONGEST_PAUSE_SECONDS = 300;
/** Where it failed because somebody was away, or a connection or a disk was: when they are back, nothing of it waits for long. */
const LONGEST_PAUSE_AWAY_SECONDS = 15;

/** Releases failed items: the n-th failure waits 2^n seconds, at most five minutes of real time. */
export async function releaseFailed(sql: Sql, c: Claim, error: Error): Promise<void> {
  const pauseSeconds = isOutage(error) ? LONGEST_PAUSE_AWAY_SECONDS : LONGEST_PAUSE_SECONDS;
  await sql.query(
    `UPDATE due_work SET lease_until = NULL, attempts = attempts + 1, last_error = $5, rescheduled = false,
       retry_at = now() + make_interval(secs => least($6::int, power(2, least(attempts, 10))::int))
     WHERE ${HELD}`,
    [...parameters(c), storableText(error.message, 2_000), pauseSeconds],
  );
}

/** A statement that takes too long is none: it would do so again. */
const isOutage = ({ kind, code, message }: Error & { kind?: string; code?: string }): boolean =>
  kind === 'unavailable' || saysLostConnection(message) || (code !== STATEMENT_TOO_LONG && saysOutage(code ?? ''));
