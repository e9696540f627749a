import type { Sql } from '@kontor/kernel';
import type { Naming } from '../domain/provider-claims.js';
import { digestOf } from '../secrets/digest.js';

/** As long as it may take from a provider's word to a session: a page that asks for a code, and a program's code. */
const MINUTES = 30;

export interface NotedLogout {
  readonly issuer: string;
  /** Null where the provider names only its session. */
  readonly subject: string | null;
  /** Null: all sessions of the subject. */
  readonly sid: string | null;
  readonly at: Date;
  /** The provider's own name of the report, where it has one. */
  readonly id: string | null;
}

/**
 * Who opens sessions by the word of a tenant's provider, and who ends them by its word, go one after the other: either the session is
 * there and ends, or the logout is noted and no session begins.
 */
export async function lockLogouts(sql: Sql, tenantId: string, who: 'opens' | 'ends'): Promise<void> {
  const lock = who === 'opens' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await sql.query(`SELECT ${lock}(hashtextextended('provider_logout ' || $1, 0))`, [tenantId]);
}

/** For those who are on the way in. False for a report that was noted before. */
export const noteLogout = (sql: Sql, tenantId: string, { at, ...logout }: NotedLogout): Promise<boolean> =>
  note(sql, { tenantId, ...logout, at: at.getTime() });

/** For those who are on the way in: of a provider that is no longer the tenant's. */
export const noteEndedProvider = (sql: Sql, tenantId: string, providerId: string): Promise<boolean> =>
  note(sql, { tenantId, providerId });

async function note(sql: Sql, noted: object): Promise<boolean> {
  const payload = JSON.stringify(noted);
  const made = await sql.query(
    `INSERT INTO person_token (digest, purpose, payload, expires_at)
     VALUES ($1, 'company_logout', $2, now() + make_interval(mins => ${MINUTES}))
     ON CONFLICT (digest) DO NOTHING RETURNING 1`,
    [digestOf(payload), payload],
  );
  return made.length > 0;
}

/** Whether the provider has reported a logout since it named somebody, both by its own clock, or is no longer the tenant's. */
export async function hasLoggedOut(sql: Sql, tenantId: string, naming: Naming, sid: string | null): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM person_token
     WHERE purpose = 'company_logout' AND payload->>'tenantId' = $1 AND expires_at > now()
       AND (payload->>'providerId' = $6 OR payload->>'issuer' = $2 AND (payload->>'at')::bigint >= $5::bigint
         AND CASE WHEN payload->>'subject' IS NULL THEN payload->>'sid' = $4::text
             ELSE payload->>'subject' = $3 AND coalesce(payload->>'sid' = $4::text, true) END)
     LIMIT 1`,
    [tenantId, naming.issuer, naming.subject, sid, naming.at, naming.providerId],
  );
  return rows.length > 0;
}
