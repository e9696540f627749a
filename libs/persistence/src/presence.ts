import { newUuid } from '@kontor/kernel';
import type pg from 'pg';

/** So long a process that says nothing more is taken for running, in seconds of database time. */
const PATIENCE_SECONDS = 10;
const BEAT_MS = 3_000;

/**
 * Says in the database, again and again, that this process runs: what a dead one held, or had begun, is free for others soon,
 * and nobody has to guess how long its work may take. SQL asks by `process_runs(id)`.
 */
export class Presence {
  readonly id = newUuid();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: pg.Pool) {}

  /** `alone`: no other process works on this database, so none of those that are written down runs any more. */
  async start({ alone = false } = {}): Promise<void> {
    const gone = alone ? 'true' : "seen_at < now() - interval '1 day'";
    await this.pool.query(`DELETE FROM running_process WHERE ${gone}`);
    await this.beat();
    this.timer = setInterval(() => {
      // The database may be away: others then think that this process is, too, until the next beat.
      this.beating = this.beat().catch(() => undefined);
    }, BEAT_MS).unref();
  }

  async stop(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.beating;
    await this.pool.query('DELETE FROM running_process WHERE id = $1', [this.id]).catch(() => undefined);
  }

  private beat(): Promise<unknown> {
    return this.pool.query(
      `INSERT INTO running_process (id, seen_at) VALUES ($1, now())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.id],
    );
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
