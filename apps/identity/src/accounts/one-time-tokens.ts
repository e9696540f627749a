import { randomBytes } from 'node:crypto';
import type { Sql } from '@kontor/kernel';
import { digestOf } from '../secrets/digest.js';

/** What a token is good for: one of another purpose is none. */
export type TokenPurpose =
  | 'password_reset'
  | 'email_change'
  | 'second_factor'
  | 'totp_setup'
  | 'passkey'
  | 'company_sign_in'
  | 'company_code'
  /** Nobody has it: a provider's report of a logout. */
  | 'company_logout'
  | 'sign_in_code';

export interface OpenToken<T> {
  readonly personId: string | null;
  readonly payload: T;
}

/** Makes a token of 128 random bits, of which only the digest is kept. */
export async function makeToken(
  sql: Sql,
  purpose: TokenPurpose,
  { personId, payload = {}, minutes }: { personId: string | null; payload?: object; minutes: number },
): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  await sql.query(
    `INSERT INTO person_token (digest, purpose, person_id, payload, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    [digestOf(token), purpose, personId, JSON.stringify(payload), minutes],
  );
  return token;
}

const SHAPE = /^[\w-]{22}$/;

/** What a token is about that can still be used; null for all others alike. */
export async function lookAtToken<T>(sql: Sql, purpose: TokenPurpose, token: string): Promise<OpenToken<T> | null> {
  if (!SHAPE.test(token)) return null;
  const [found] = await sql.query<OpenToken<T>>(
    'SELECT person_id AS "personId", payload FROM person_token WHERE digest = $1 AND purpose = $2 AND expires_at > now()',
    [digestOf(token), purpose],
  );
  return found ?? null;
}

/** Uses a token, which nobody can do twice. */
export async function useToken<T>(sql: Sql, purpose: TokenPurpose, token: string): Promise<OpenToken<T> | null> {
  if (!SHAPE.test(token)) return null;
  const [found] = await sql.query<OpenToken<T> & { isOpen: boolean }>(
    `DELETE FROM person_token WHERE digest = $1 AND purpose = $2
     RETURNING person_id AS "personId", payload, expires_at > now() AS "isOpen"`,
    [digestOf(token), purpose],
  );
  return found?.isOpen ? found : null;
}

/** Who clicks twice sends the form twice, and the browser drops the first answer. */
const SECOND_CLICK_SECONDS = 10;

/** Uses a token by what is kept of it for a second click. False where it was used already, or is none. */
export async function passToken(sql: Sql, purpose: TokenPurpose, token: string, passed: object): Promise<boolean> {
  const used = await sql.query(
    `UPDATE person_token SET payload = payload || jsonb_build_object('passed', $3::jsonb),
       expires_at = least(expires_at, now() + make_interval(secs => ${SECOND_CLICK_SECONDS}))
     WHERE digest = $1 AND purpose = $2 AND expires_at > now() AND NOT payload ? 'passed' RETURNING 1`,
    [digestOf(token), purpose, JSON.stringify(passed)],
  );
  return used.length > 0;
}

/** Tokens of a person that are good for nothing any more. */
export async function dropTokens(sql: Sql, personId: string, purposes: readonly TokenPurpose[]): Promise<void> {
  await sql.query('DELETE FROM person_token WHERE person_id = $1 AND purpose = ANY($2::text[])', [personId, purposes]);
}

/** All that was begun with a password, and is not finished, ends with it: a way in, another address, codes of another app. */
export async function dropAllTokens(sql: Sql, personId: string): Promise<void> {
  await sql.query('DELETE FROM person_token WHERE person_id = $1', [personId]);
}
