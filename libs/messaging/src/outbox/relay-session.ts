import type { OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';

/** Any number; one per database, and each service has its own database. */
const LEADER_LOCK = 7_214_001;

export interface Leadership {
  readonly epoch: bigint;
  readonly publishedUpTo: bigint;
}

/** Takes the lead when nobody has it: the advisory lock lives as long as this session, the epoch fences late writes. */
export async function tryLead(session: DedicatedConnection): Promise<Leadership | null> {
  const lock = await session.query('select pg_try_advisory_lock($1) as mine', [LEADER_LOCK]);
  if (!(lock.rows[0] as { mine: boolean }).mine) return null;
  const { rows } = await session.query('update relay_state set leader_epoch = leader_epoch + 1 returning leader_epoch, last_id');
  const row = rows[0] as { leader_epoch: string; last_id: string };
  // Progress may be lost in a crash: it only means that a page is published again.
  await session.query('set synchronous_commit = off');
  await session.query('listen outbox');
  return { epoch: BigInt(row.leader_epoch), publishedUpTo: BigInt(row.last_id) };
}

/** The highest id ever drawn, committed or not. */
export async function highestDrawn(session: DedicatedConnection): Promise<bigint> {
  const { rows } = await session.query('select case when is_called then last_value else 0 end as hi from outbox_id_seq');
  return BigInt((rows[0] as { hi: string }).hi);
}

const HOLDERS = `select coalesce(virtualtransaction, '') as vxid from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database()) and relation = 'outbox'::regclass`;

/**
 * Waits until every transaction that may still commit a row at or below `hi` is over. A transaction takes the table's
 * lock before it draws an id, so whoever drew one of those ids holds the lock in this later statement, or has ended.
 */
export async function waitForWriters(session: DedicatedConnection, stopped: () => boolean): Promise<boolean> {
  const holders = async (): Promise<string[]> => (await session.query(HOLDERS)).rows.map((row) => (row as { vxid: string }).vxid);
  let waitingFor = new Set(await holders());
  for (let pauseMs = 1; waitingFor.size > 0; pauseMs = Math.min(pauseMs * 2, 20)) {
    if (stopped()) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const now = new Set(await holders());
    waitingFor = new Set([...waitingFor].filter((vxid) => now.has(vxid)));
  }
  return true;
}

/**
 * Moves the published mark and the per-tenant counts together, and only while nobody else has taken the lead.
 * `upTo` null: only counts.
 * @throws Error when another relay leads.
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
  const { rows } = await session.query(
    `with mine as (update relay_state set last_id = coalesce($1, last_id) where leader_epoch = $2 returning last_id),
     counted as (insert into published_count as p (tenant_id, type, n) select c.tenant_id, c.type, c.n
       from unnest($3::uuid[], $4::text[], $5::bigint[]) as c(tenant_id, type, n) where exists (select from mine)
       on conflict (tenant_id, type) do update set n = p.n + excluded.n)
     select last_id from mine`,
    [upTo?.toString() ?? null, lead.epoch.toString(), list.map((c) => c.tenantId), list.map((c) => c.type), list.map((c) => c.n)],
  );
  if (rows.length === 0) throw new Error('another relay has taken the lead');
}
