import type { Database } from '@kontor/persistence';
import { ATTEMPT_SECONDS } from './sign-in-limits.js';

const AT_ONCE = 1000;

const EXPIRED = [
  ['person_session', 'expires_at < now()'],
  ['person_token', 'expires_at < now()'],
  ['person_attempt', `since < now() - interval '${2 * ATTEMPT_SECONDS} seconds'`],
] as const;

/** Deletes sessions, tokens and counts of attempts that are over, a part at a time. */
export async function purgeExpired(db: Database): Promise<void> {
  for (const [table, isOver] of EXPIRED)
    await db.statement(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${isOver} LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))`,
    );
}
