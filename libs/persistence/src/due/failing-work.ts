import type { Sql } from '@kontor/kernel';

/** Due work of a kind that fails again and again, with longer and longer pauses. */
export interface FailingWork {
  readonly kind: string;
  readonly count: number;
  /** Of the one that has been due longest. */
  readonly error: string;
}

/**
 * What has failed five times in a row, which takes half a minute. It stays the oldest of what is due, so that it is found among the
 * first of its kind, however much is due.
 */
export const failingWork = (sql: Sql): Promise<FailingWork[]> =>
  sql.query<FailingWork>(
    `WITH RECURSIVE kinds AS (
       (SELECT kind FROM due_work WHERE poll_at IS NOT NULL ORDER BY kind LIMIT 1)
       UNION ALL
       SELECT (SELECT d.kind FROM due_work d WHERE d.poll_at IS NOT NULL AND d.kind > kinds.kind ORDER BY d.kind LIMIT 1)
       FROM kinds WHERE kinds.kind IS NOT NULL)
     SELECT oldest.kind, count(*)::int AS count, (array_agg(oldest.last_error ORDER BY oldest.poll_at))[1] AS error
     FROM kinds CROSS JOIN LATERAL (
       SELECT d.kind, d.attempts, d.last_error, d.poll_at FROM due_work d
       WHERE d.kind = kinds.kind AND d.poll_at <= now() AND d.poll_at IS NOT NULL
       ORDER BY d.poll_at LIMIT 1000) oldest
     WHERE oldest.attempts >= 5
     GROUP BY oldest.kind ORDER BY oldest.kind`,
  );
