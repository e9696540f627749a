import type { Sql, Tx } from '@kontor/kernel';
import { NOT_CLOSED } from '../closed-tenant.js';
import { OpenTenantTx } from '../open-tenant-tx.js';

export interface DueWork {
  /** Names the handler: `billing.account`. */
  readonly kind: string;
  /** What is due, an id. Unique per tenant and kind: scheduling again moves it. */
  readonly ref: string;
  readonly dueAt: Date;
  /** True for what stays on real time in a sandbox: retries of webhooks, mails and gateways, links. Default: false. */
  readonly wall?: boolean;
}

/** One claimed row. `token` proves the claim: a runner that lost its lease holds an old one. */
export interface DueItem {
  readonly ref: string;
  readonly dueAt: Date;
  readonly token: bigint;
}

/** The claim was lost to another runner or cancelled: roll back, the other one does it. */
export class LeaseLost extends Error {
  constructor(kind: string, ref: string) {
    super(`the lease on ${kind} ${ref} is lost`);
    this.name = 'LeaseLost';
  }
}

/** Not now: the items are released as they are, and no further ones of their tenant and kind are begun for a while. */
export class NotYet extends Error {
  constructor(readonly pauseMs: number) {
    super('the tenant has enough in hand');
    this.name = 'NotYet';
  }
}

const signal = (tx: object): void => {
  if (tx instanceof OpenTenantTx) tx.dueSoon();
};

/** Real time is the machine's where it is made, and the database's where it is compared. */
const timeOf = (tx: object, { dueAt, wall }: Pick<DueWork, 'dueAt' | 'wall'>): Date =>
  wall && tx instanceof OpenTenantTx ? tx.timeOf(dueAt) : dueAt;

/**
 * Schedules or moves one piece of due work in the transaction of its cause. Under a frozen sandbox clock it waits for the
 * clock, unless it is due already. While somebody works on the same row, their completion keeps the earlier of both times.
 */
export const scheduleDue = (tx: Tx, work: DueWork): Promise<void> => scheduleDueMany(tx, [work]);

/** `scheduleDue` for many rows in one statement; the last one wins where a kind and ref come twice. */
export async function scheduleDueMany(tx: Tx, works: readonly DueWork[]): Promise<void> {
  const unique = [...new Map(works.map((work) => [`${work.kind}\n${work.ref}`, work])).values()].sort((a, b) =>
    `${a.kind}\n${a.ref}` < `${b.kind}\n${b.ref}` ? -1 : 1,
  );
  if (unique.length === 0) return;
  await tx.query(
    `INSERT INTO due_work AS d (tenant_id, kind, ref, due_at, wall, poll_at)
     SELECT $1, w.kind, w.ref, w.due_at, w.wall,
       CASE WHEN w.wall OR c.now IS NULL THEN w.due_at WHEN w.due_at <= c.now THEN now() END
     FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::boolean[]) AS w (kind, ref, due_at, wall)
     LEFT JOIN tenant_clock c ON c.tenant_id = $1
     ON CONFLICT (tenant_id, kind, ref) DO UPDATE
       SET due_at = excluded.due_at, wall = excluded.wall, poll_at = excluded.poll_at,
         retry_at = NULL, attempts = 0, last_error = NULL,
         rescheduled = coalesce(d.lease_until > now(), false),
         lease_until = CASE WHEN d.lease_until > now() THEN d.lease_until END`,
    [
      tx.tenantId,
      unique.map((w) => w.kind),
      unique.map((w) => w.ref),
      unique.map((w) => timeOf(tx, w)),
      unique.map((w) => w.wall ?? false),
    ],
  );
  const soon = Date.now() + 1000;
  if (unique.some((work) => work.dueAt.getTime() <= Math.max(tx.now.getTime(), soon))) signal(tx);
}

/** Cancels due work. Whoever works on it loses the lease and rolls back. */
export const cancelDue = (tx: Tx, kind: string, ref: string): Promise<void> => cancelDueMany(tx, kind, [ref]);

/** {@link cancelDue} for many rows in one statement. */
export async function cancelDueMany(tx: Tx, kind: string, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  await tx.query('DELETE FROM due_work WHERE tenant_id = $1 AND kind = $2 AND ref = ANY($3::text[])', [
    tx.tenantId,
    kind,
    refs,
  ]);
}

/**
 * Ends the work on one item in the transaction of its effect: forgets it, or sets its next time.
 * @throws LeaseLost when somebody else claimed it meanwhile or it was cancelled.
 */
export const completeDue = (tx: Tx, kind: string, item: DueItem, nextDueAt: Date | null = null): Promise<void> =>
  completeDueMany(tx, kind, [{ item, nextDueAt }]);

/**
 * What a runner still holds. Arrays instead of joins: the planner knows nothing about a queue's size, and joined in the square of a batch
 * (measured). A token is given once, so it needs no pairing with its row.
 */
export const HELD =
  'tenant_id = $1 AND kind = $2 AND ref = ANY($3::text[]) AND token = ANY($4::bigint[]) AND lease_until IS NOT NULL';
export const heldParameters = (tenantId: string, kind: string, items: readonly DueItem[]): unknown[] => [
  tenantId,
  kind,
  items.map((item) => item.ref),
  items.map((item) => item.token.toString()),
];

interface Done {
  readonly item: DueItem;
  readonly nextDueAt: Date | null;
}

/**
 * `completeDue` for many items: one statement for those that end, one for those that come again.
 * @throws LeaseLost when one of them is lost.
 */
export async function completeDueMany(tx: Tx, kind: string, done: readonly Done[]): Promise<void> {
  const gone = await endHeld(
    tx,
    kind,
    done.filter(({ nextDueAt }) => nextDueAt === null),
  );
  const rest = done.filter(({ item }) => !gone.has(item.ref));
  if (rest.length > 0) await moveHeld(tx, kind, rest);
}

/** Forgets what is still held and was not scheduled again meanwhile; returns it. */
async function endHeld(tx: Tx, kind: string, done: readonly Done[]): Promise<Set<string>> {
  if (done.length === 0) return new Set();
  const rows = await tx.query<{ ref: string }>(
    `DELETE FROM due_work WHERE ${HELD} AND NOT rescheduled RETURNING ref`,
    heldParameters(tx.tenantId, kind, itemsOf(done)),
  );
  return new Set(rows.map(({ ref }) => ref));
}

const itemsOf = (done: readonly Done[]): DueItem[] => done.map(({ item }) => item);

/** Next times by ref, which the database finds by halving: an array would be read to the ref's place for each row. */
const nextTimes = (done: readonly Done[]): string =>
  JSON.stringify(Object.fromEntries(done.map(({ item, nextDueAt }) => [item.ref, nextDueAt])));

/** Sets the next time of what is still held; where it was scheduled meanwhile, the earlier of both. */
async function moveHeld(tx: Tx, kind: string, done: readonly Done[]): Promise<void> {
  const skew = timeOf(tx, { dueAt: tx.now, wall: true }).getTime() - tx.now.getTime();
  const rows = await tx.query<{ ref: string; due_at: Date }>(
    `WITH clock AS (SELECT now FROM tenant_clock WHERE tenant_id = $1)
     UPDATE due_work
     SET (due_at, poll_at) = (
         SELECT m.at, CASE
           WHEN wall OR (SELECT now FROM clock) IS NULL THEN m.at
           WHEN m.at <= (SELECT now FROM clock) THEN now()
         END
         FROM (
           SELECT CASE WHEN rescheduled THEN least(due_at, n.at) ELSE coalesce(n.at, due_at) END AS at
           FROM (
             SELECT ($5::jsonb ->> ref)::timestamptz + CASE WHEN wall THEN $6::float8 ELSE 0 END * interval '1 ms' AS at
             OFFSET 0
           ) n
           OFFSET 0
         ) m
       ),
       lease_until = NULL, retry_at = NULL, rescheduled = false, attempts = 0, last_error = NULL
     WHERE ${HELD}
     RETURNING ref, due_at`,
    [...heldParameters(tx.tenantId, kind, itemsOf(done)), nextTimes(done), skew],
  );
  const moved = new Set(rows.map(({ ref }) => ref));
  for (const { item } of done) if (!moved.has(item.ref)) throw new LeaseLost(kind, item.ref);
  if (rows.some(({ due_at: at }) => at <= tx.now)) signal(tx);
}

/**
 * Nobody sets a lease or a pause after a failure that ends so much later: one that does is of a time when the database's clock was ahead. Much more
 * than either, so that what is set while a statement runs never looks like it.
 */
const FAR = `now() + interval '15 minutes'`;
/** SQL that is true of a lease or a pause that is over, or of a time that the clock was set back from. */
export const isPast = (column: string): string => `(${column} IS NULL OR ${column} <= now() OR ${column} > ${FAR})`;

/** Earliest due time of a tenant on the tenant's clock, claimed or not; null when nothing waits. */
export async function nextDueOf(sql: Sql, tenantId: string): Promise<Date | null> {
  const rows = await sql.query<{ due: Date | null }>(
    `SELECT min(due_at) AS due FROM due_work WHERE tenant_id = $1 AND NOT wall AND ${NOT_CLOSED}`,
    [tenantId],
  );
  return rows[0]?.due ?? null;
}

/** Items of a tenant that a runner holds right now. Nobody claims what neither real time nor the tenant's clock has reached. */
export async function claimedOf(sql: Sql, tenantId: string): Promise<number> {
  const rows = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM due_work
     WHERE tenant_id = $1 AND NOT wall AND NOT ${isPast('lease_until')}
       AND due_at <= greatest(now(), (SELECT c.now FROM tenant_clock c WHERE c.tenant_id = $1))`,
    [tenantId],
  );
  return rows[0]?.n ?? 0;
}
