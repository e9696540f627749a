import type { Sql } from '@kontor/kernel';
import { newUuid } from '@kontor/kernel';
import { familyOf, isBearerSecret, newBearerSecret, requestContext } from '@kontor/service-kit';
import { isByCompany, type SignInMethod } from '../domain/sign-in-policy.js';
import type { Naming } from '../domain/provider-claims.js';
import { digestOf } from '../secrets/digest.js';
import type { Person } from './person.js';
import { hasLoggedOut, lockLogouts } from './provider-logouts.js';

export const USER_ACCESS_SECONDS = 3600;
const REFRESH_DAYS = 14;
/** Sessions of a browser end after this long without use, and with the working day in any case. */
const BROWSER_HOURS = 12;
/** Then the company's identity provider is asked again, used or not. */
const COMPANY_HOURS = 12;

/**
 * What lets somebody in: the person as it was when its password, passkey or code was checked, or a session of it. A session is opened only
 * while that holds, so that who is on the way in when a password changes, or sessions are ended, stays out.
 */
export type Grounds = Pick<Person, 'id' | 'passwordHash'> | Pick<PersonSession, 'id' | 'personId'>;

/** The secrets of a session that acts in a tenant, seen once. */
export interface UserTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface PersonSession {
  readonly id: string;
  readonly personId: string;
  /** Null: a browser's, for the pages of the account. */
  readonly tenantId: string | null;
  /** Of a browser's session: the tenant whose identity provider it comes from, which says nothing to others. */
  readonly onlyTenant: string | null;
  /** The session of the company's identity provider that it comes from, where that has named it. */
  readonly providerSid: string | null;
  readonly accessExpiresAt: Date;
  readonly expiresAt: Date;
  readonly methods: readonly SignInMethod[];
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
}

const COLUMNS = `id, person_id AS "personId", tenant_id AS "tenantId", only_tenant AS "onlyTenant", provider_sid AS "providerSid",
  access_expires_at AS "accessExpiresAt", expires_at AS "expiresAt", methods, address, user_agent AS "userAgent", signed_in_at AS "signedInAt",
  last_used_at AS "lastUsedAt"`;

interface NewSession {
  readonly grounds: Grounds;
  readonly tenantId: string | null;
  readonly onlyTenant?: string | null;
  readonly providerSid: string | null;
  /** The word of the company's provider by which it is opened; none for what comes of another session. */
  readonly naming?: Naming | null;
  readonly methods: readonly SignInMethod[];
  readonly access: string;
  readonly refresh: string | null;
  readonly hours: number;
}

/**
 * False where the grounds hold no longer. Changes of a password, and ends of sessions, also by a company's provider, wait for the transaction,
 * and end its session.
 */
async function insertSession(sql: Sql, session: NewSession): Promise<boolean> {
  const company = isByCompany(session.methods) ? (session.tenantId ?? session.onlyTenant ?? null) : null;
  if (company !== null) {
    await lockLogouts(sql, company, 'opens');
    if (session.naming && (await hasLoggedOut(sql, company, session.naming, session.providerSid))) return false;
  }
  const personId = await lockGrounds(sql, session.grounds);
  if (personId === null) return false;
  const { address = null, userAgent = null } = requestContext() ?? {};
  const accessHours = session.refresh === null ? session.hours : USER_ACCESS_SECONDS / 3600;
  await sql.query(
    `INSERT INTO person_session (id, person_id, tenant_id, access_digest, access_expires_at, refresh_digest, refresh_family, expires_at,
       methods, address, user_agent, only_tenant, provider_sid, signed_in_at, last_used_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5), $6, $13, now() + make_interval(hours => $7), $8, $9, $10, $11, $12, now(), now())`,
    [
      newUuid(),
      personId,
      session.tenantId,
      digestOf(session.access),
      accessHours,
      session.refresh === null ? null : digestOf(session.refresh),
      session.hours,
      JSON.stringify(session.methods),
      address,
      userAgent,
      session.onlyTenant ?? null,
      session.providerSid,
      session.refresh === null ? null : digestOf(familyOf(session.refresh)),
    ],
  );
  return true;
}

/** Whether what was checked of a person still holds, for as long as the transaction lasts: changes of a password wait for it. */
export const stillHolds = async (sql: Sql, grounds: Grounds): Promise<boolean> =>
  (await lockGrounds(sql, grounds)) !== null;

/** Whose session may be opened; null for nobody's. */
async function lockGrounds(sql: Sql, grounds: Grounds): Promise<string | null> {
  if ('passwordHash' in grounds) {
    const same = await sql.query(
      'SELECT 1 FROM person WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 FOR SHARE',
      [grounds.id, grounds.passwordHash],
    );
    return same.length > 0 ? grounds.id : null;
  }
  await sql.query('SELECT 1 FROM person WHERE id = $1 FOR SHARE', [grounds.personId]);
  return (await sessionById(sql, grounds.id)) && grounds.personId;
}

/** Opens a session that acts in one tenant; null where its grounds hold no longer. */
export async function openUserSession(
  sql: Sql,
  session: Pick<NewSession, 'grounds' | 'methods' | 'providerSid' | 'naming'> & { readonly tenantId: string },
): Promise<UserTokens | null> {
  const tokens = { accessToken: newBearerSecret('usr_'), refreshToken: newBearerSecret('urt_') };
  const { accessToken: access, refreshToken: refresh } = tokens;
  const hours = isByCompany(session.methods) ? COMPANY_HOURS : REFRESH_DAYS * 24;
  return (await insertSession(sql, { ...session, access, refresh, hours })) ? tokens : null;
}

/** Opens a session of a browser; returns the value of its cookie, null where its grounds hold no longer. */
export async function openBrowserSession(
  sql: Sql,
  session: Pick<NewSession, 'grounds' | 'methods' | 'onlyTenant' | 'providerSid' | 'naming'>,
): Promise<string | null> {
  const access = newBearerSecret('usp_');
  const isOpen = await insertSession(sql, { ...session, tenantId: null, access, refresh: null, hours: BROWSER_HOURS });
  return isOpen ? access : null;
}

/** The open session of an access token or a cookie. */
export async function sessionByAccess(sql: Sql, token: string): Promise<PersonSession | null> {
  if (!isBearerSecret(token)) return null;
  const [session] = await sql.query<PersonSession>(
    `SELECT ${COLUMNS} FROM person_session WHERE access_digest = $1 AND access_expires_at > now()`,
    [digestOf(token)],
  );
  return session ?? null;
}

export async function sessionById(sql: Sql, id: string): Promise<PersonSession | null> {
  const [session] = await sql.query<PersonSession>(
    `SELECT ${COLUMNS} FROM person_session WHERE id = $1 AND expires_at > now()`,
    [id],
  );
  return session ?? null;
}

/**
 * Exchanges a refresh token for new ones. It counts once: one that is shown again, however long ago it was exchanged, ends its session.
 * Null for what is not valid.
 */
export async function renewUserSession(sql: Sql, refreshToken: string): Promise<UserTokens | null> {
  if (!refreshToken.startsWith('urt_') || !isBearerSecret(refreshToken)) return null;
  const digest = digestOf(refreshToken);
  const family = familyOf(refreshToken);
  const tokens = { accessToken: newBearerSecret('usr_'), refreshToken: newBearerSecret('urt_', family) };
  const renewed = await sql.query(
    `UPDATE person_session SET access_digest = $2, refresh_digest = $4,
       previous_refresh_digest = refresh_digest, refresh_family = $6, last_used_at = now(),
       access_expires_at = CASE WHEN methods ? 'company' THEN least(expires_at, now() + make_interval(secs => $3))
         ELSE now() + make_interval(secs => $3) END,
       expires_at = CASE WHEN methods ? 'company' THEN expires_at ELSE now() + make_interval(days => $5) END
     WHERE refresh_digest = $1 AND expires_at > now() RETURNING 1`,
    [
      digest,
      digestOf(tokens.accessToken),
      USER_ACCESS_SECONDS,
      digestOf(tokens.refreshToken),
      REFRESH_DAYS,
      digestOf(family),
    ],
  );
  if (renewed.length > 0) return tokens;
  await sql.query(
    'DELETE FROM person_session WHERE previous_refresh_digest = $1 OR refresh_digest = $1 OR refresh_family = $2',
    [digest, digestOf(family)],
  );
  return null;
}

/** Open sessions of a person, the last used first. */
export const sessionsOf = (sql: Sql, personId: string): Promise<PersonSession[]> =>
  sql.query<PersonSession>(
    `SELECT ${COLUMNS} FROM person_session WHERE person_id = $1 AND expires_at > now()
     ORDER BY last_used_at DESC, id LIMIT 100`,
    [personId],
  );

export async function endSession(sql: Sql, personId: string, id: string): Promise<boolean> {
  const ended = await sql.query('DELETE FROM person_session WHERE person_id = $1 AND id = $2 RETURNING 1', [
    personId,
    id,
  ]);
  return ended.length > 0;
}

/**
 * Ends a person's sessions, and what is about to become one: all, all but one, or those in one tenant. Returns how many sessions there were.
 */
export async function endSessions(
  sql: Sql,
  personId: string,
  { but = null, tenantId = null }: { but?: string | null; tenantId?: string | null } = {},
): Promise<number> {
  // Who opens one holds the person: it is seen below, or sees what has ended.
  await sql.query('SELECT 1 FROM person WHERE id = $1 FOR NO KEY UPDATE', [personId]);
  await sql.query(
    `DELETE FROM person_token WHERE person_id = $1 AND (purpose = 'sign_in_code' OR payload ? 'passed')
       AND ($2::uuid IS NULL OR payload->>'tenantId' = $2::text)`,
    [personId, tenantId],
  );
  const ended = await sql.query(
    `DELETE FROM person_session WHERE person_id = $1 AND ($2::uuid IS NULL OR id <> $2) AND ($3::uuid IS NULL OR $3 IN (tenant_id, only_tenant))
     RETURNING 1`,
    [personId, but, tenantId],
  );
  return ended.length;
}
