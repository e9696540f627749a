import type { Sql } from '@kontor/kernel';
import type { Database } from '@kontor/persistence';

/** Somebody who signs in, whatever the tenants. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: 'de' | 'en';
  /** Null: signs in by other means. */
  readonly passwordHash: string | null;
  /** Sealed; null: no codes are asked for. */
  readonly totpSecret: string | null;
}

const COLUMNS = `id, email, first_name AS "firstName", last_name AS "lastName", language,
  password_hash AS "passwordHash", totp_secret AS "totpSecret"`;

export const fullName = ({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();

export async function personById(sql: Sql, id: string): Promise<Person | null> {
  const [person] = await sql.query<Person>(`SELECT ${COLUMNS} FROM person WHERE id = $1`, [id]);
  return person ?? null;
}

export async function personByEmail(sql: Sql, email: string): Promise<Person | null> {
  const [person] = await sql.query<Person>(`SELECT ${COLUMNS} FROM person WHERE lower(email) = lower($1)`, [email]);
  return person ?? null;
}

export async function peopleByIds(sql: Sql, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await sql.query<Person>(`SELECT ${COLUMNS} FROM person WHERE id = ANY($1::uuid[])`, [ids]);
  return new Map(people.map((person) => [person.id, person]));
}

/** False where somebody has the address already. */
export async function insertPerson(sql: Sql, person: Omit<Person, 'totpSecret'>): Promise<boolean> {
  const made = await sql.query(
    `INSERT INTO person (id, email, first_name, last_name, language, password_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING RETURNING 1`,
    [person.id, person.email, person.firstName, person.lastName, person.language, person.passwordHash],
  );
  return made.length > 0;
}

/** Whether the database refuses an address because somebody has got it in this moment. */
export function isAddressTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'person_email';
}

/** What is left of somebody who has deleted the account: an id to which logs refer. */
export const NOBODY = { firstName: '', lastName: '' } as const;
export const erasedEmail = (id: string): string => `${id}@deleted.invalid`;

/** Forgets somebody. All that one signs in with goes, and the address is free. */
export async function erasePerson(sql: Sql, id: string): Promise<void> {
  for (const table of ['person_session', 'person_token', 'person_recovery_code', 'person_passkey'])
    await sql.query(`DELETE FROM ${table} WHERE person_id = $1`, [id]);
  await sql.query(
    `UPDATE person SET email = $2, first_name = '', last_name = '', password_hash = NULL, totp_secret = NULL, totp_step = NULL
     WHERE id = $1`,
    [id, erasedEmail(id)],
  );
}

/** Single statements about people, each a transaction of its own. */
export const single = (db: Database): Sql => ({ query: (sql, params) => db.statement(sql, params) });
