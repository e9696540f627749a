import { newUuid } from '@kontor/kernel';
import type pg from 'pg';
import type { DatabaseClock } from './database-clock.js';
import { within } from './open-tenant-tx.js';

/** So long a process that says nothing more is taken for running, in seconds of database time. */
const PATIENCE_SECONDS = 10;
const BEAT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 8_000;

/**
 * Says in the database, again and again, that this process runs: what a dead one held, or had begun, is free for others soon,
 * and nobody has to guess how long its work may take. SQL asks by `process_runs(id)`. The answer says what time it is there.
 */
export class Presence {
  readonly id = newUuid();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<unknown> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: DatabaseClock,
  ) {}

  /** `alone`: no other process works on this database, so none of those that are written down runs any more. */
  async start({ alone = false } = {}): Promise<void> {
    const gone = alone ? 'true' : "seen_at < now() - interval '1 day'";
    await this.pool.query(`DELETE FROM running_process WHERE ${gone}`);
    await this.beat();
    this.timer = setInterval(() => {
      // The database may be away: others then think that this process is, too, until the next beat. One waits at a time, or
      // those that get no answer would hold all connections.
      this.beating ??= this.beat()
        .catch(() => undefined)
        .finally(() => (this.beating = undefined));
    }, BEAT_MS).unref();
  }

  async stop(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.beating;
    await this.pool.query('DELETE FROM running_process WHERE id = $1', [this.id]).catch(() => undefined);
  }

  private async beat(): Promise<void> {
    const askedAt = Date.now();
    const { rows } = await this.pool.query<{ at: Date }>(
      within(
        ANSWER_TIMEOUT_MS,
        `INSERT INTO running_process (id, seen_at) VALUES ($1, now())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
       RETURNING clock_timestamp() AS at`,
      ),
      [this.id],
    );
    this.clock.notice(rows[0]!.at, askedAt, Date.now());
  }
}

/** SQL of the table behind it. The function's owner reads it, so that whoever looks rows up for all tenants may call it. */
export const presenceTable = `
CREATE TABLE running_process (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
CREATE FUNCTION process_runs(process uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM running_process p
    WHERE p.id = process AND p.seen_at > now() - interval '${PATIENCE_SECONDS} seconds')
$$;
`;

/**
 * The same, and nobody is heard of later than it is: a process that died while the database's clock was ahead would run until that time
 * comes. By the clock of this moment: others go on saying that they run after a transaction has begun.
 */
export const presenceUpToNow = `
CREATE OR REPLACE FUNCTION process_runs(process uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM running_process p
    WHERE p.id = process AND p.seen_at > now() - interval '${PATIENCE_SECONDS} seconds'
      AND p.seen_at <= clock_timestamp() + interval '${PATIENCE_SECONDS} seconds')
$$;
`;
