import type { Sql } from '@kontor/kernel';

/** Due work of a kind that fails again and again, with longer and longer pauses. */
export interface FailingWork {
  readonly kind: string;
  readonly count: number;
  /** Of the one that is due longest. */
  readonly error: string;
}

/** What has failed five times in a row, which takes half a minute; what waits for a clock that stands still is none. */
export const failingWork = (sql: Sql): Promise<FailingWork[]> =>
  sql.query<FailingWork>(
    `SELECT kind, count(*)::int AS count, (array_agg(last_error ORDER BY due_at))[1] AS error
     FROM due_work WHERE attempts >= 5 AND poll_at IS NOT NULL
     GROUP BY kind ORDER BY kind`,
  );
