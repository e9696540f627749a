import type { Topic } from '@kontor/contracts';
import { askedFor, prepared } from '@kontor/kernel';
import type { OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';

/** Any number; one per database, and each service has its own database. */
const LEADER_LOCK = 7_214_001;

/** What this relay would write is another one's to write. */
export class LostLead extends Error {
  constructor() {
    super('another relay has taken the lead');
  }
}

export interface Leadership {
  readonly epoch: bigint;
  readonly publishedUpTo: bigint;
}

/** Becomes the leader when there is none: the advisory lock lives as long as this session, the epoch fences late writes. */
export async function tryLead(session: DedicatedConnection): Promise<Leadership | null> {
  const lock = await session.query('SELECT pg_try_advisory_lock($1) AS acquired', [LEADER_LOCK]);
  if (!(lock.rows[0] as { acquired: boolean }).acquired) return null;
  const { rows } = await session.query(
    'UPDATE relay_state SET leader_epoch = leader_epoch + 1 RETURNING leader_epoch, last_id',
  );
  const row = rows[0] as { leader_epoch: string; last_id: string };
  // Progress may be lost in a crash: it only means that a page is published again.
  await session.query('SET synchronous_commit = off');
  await session.query('LISTEN outbox');
  return { epoch: BigInt(row.leader_epoch), publishedUpTo: BigInt(row.last_id) };
}

const HIGHEST_DRAWN = prepared('SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS hi FROM outbox_id_seq');

/** The highest id ever drawn, committed or not. */
export async function highestDrawn(session: DedicatedConnection): Promise<bigint> {
  const { rows } = await session.query(askedFor(HIGHEST_DRAWN));
  return BigInt((rows[0] as { hi: string }).hi);
}

const HOLDERS = prepared(`SELECT coalesce(virtualtransaction, '') AS vxid FROM pg_locks
  WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'outbox'::regclass`);

/**
 * Waits until every transaction that may still commit a row at or below `hi` is over. A transaction takes the table's
 * lock before it draws an id, so whoever drew one of those ids holds the lock in this later statement, or has ended.
 */
export async function waitForWriters(session: DedicatedConnection, stopped: () => boolean): Promise<boolean> {
  const holders = async (): Promise<string[]> =>
    (await session.query(askedFor(HOLDERS))).rows.map((row) => (row as { vxid: string }).vxid);
  let waitingFor = new Set(await holders());
  for (let pauseMs = 1; waitingFor.size > 0; pauseMs = Math.min(pauseMs * 2, 20)) {
    if (stopped()) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const now = new Set(await holders());
    waitingFor = new Set([...waitingFor].filter((vxid) => now.has(vxid)));
  }
  return true;
}

const PROGRESS = prepared(
  `WITH progress AS (UPDATE relay_state SET last_id = coalesce($1, last_id) WHERE leader_epoch = $2 RETURNING last_id),
   counted AS (INSERT INTO published_count AS p (tenant_id, type, n) SELECT c.tenant_id, c.type, c.n
     FROM unnest($3::uuid[], $4::text[], $5::bigint[]) AS c(tenant_id, type, n) WHERE EXISTS (SELECT FROM progress)
     ON CONFLICT (tenant_id, type) DO UPDATE SET n = p.n + excluded.n),
   held AS (UPDATE published_topic t SET taken = t.taken + c.n FROM unnest($6::text[], $7::bigint[]) AS c(topic, n)
     WHERE t.topic = c.topic AND EXISTS (SELECT FROM progress))
   SELECT last_id FROM progress`,
);

/**
 * Moves the published mark, the per-tenant counts and those of the topics together, and only while nobody else has taken the lead.
 * `upTo` null: only counts.
 * @throws LostLead
 */
export async function storeProgress(
  session: DedicatedConnection,
  lead: Leadership,
  records: readonly OutboxRecord[],
  upTo: bigint | null,
): Promise<void> {
  const counts = new Map<string, { tenantId: string; type: string; n: number }>();
  for (const { tenantId, type } of records) {
    const entry = counts.get(tenantId + type) ?? { tenantId, type, n: 0 };
    entry.n++;
    counts.set(tenantId + type, entry);
  }
  const list = [...counts.values()];
  const topics = [...countByTopic(records)];
  const { rows } = await session.query(askedFor(PROGRESS), [
    upTo?.toString() ?? null,
    lead.epoch.toString(),
    list.map((c) => c.tenantId),
    list.map((c) => c.type),
    list.map((c) => c.n),
    topics.map(([topic]) => topic),
    topics.map(([, n]) => n),
  ]);
  if (rows.length === 0) throw new LostLead();
}

export function countByTopic(records: readonly OutboxRecord[]): Map<Topic, number> {
  const counts = new Map<Topic, number>();
  for (const { topic } of records) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return counts;
}
