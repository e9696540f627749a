import { createHash } from 'node:crypto';
import pg from 'pg';
import { openSession } from './open-session.js';

/** The secrets in a database are under another key. The message is one line that says what to do. */
export class ForeignDatabaseError extends Error {
  constructor(database: string) {
    super(
      [
        `The secrets key (SECRETS_KEY, or secrets.key in the data folder) is not the one that this database was made with (${database}):`,
        'restore it, or name that one in SECRETS_KEY_PREVIOUS.',
      ].join(' '),
    );
    this.name = 'ForeignDatabaseError';
  }
}

const MARK = 'kontor secrets ';
const ADVISORY_LOCK = 7_305_881_227;

interface Found {
  readonly name: string;
  readonly comment: string | null;
  /** Whether who asks may write the mark. */
  readonly owned: boolean;
}

/**
 * Binds a database to the key that encrypts its secrets, at the first start: with another key nothing encrypted could be read any
 * more, new secrets would be lost with the old key's return, and the passwords of the roles, which follow from the key, would be changed under
 * who runs. A fingerprint of it is kept as the database's comment. One that belongs to a `previous` key is given to the present one.
 * With an administrator's URL that is the server's own database, which then speaks for those of all services.
 * @throws ForeignDatabaseError when it belongs to another key.
 */
export async function claimDatabase(url: string, secretsKey: string, previous: readonly string[]): Promise<void> {
  const client = await openSession(url, 'kontor-provision');
  try {
    // Several services claim one at once.
    await client.query(`SELECT pg_advisory_lock(${ADVISORY_LOCK})`);
    const { rows } = await client.query<Found>(
      `SELECT datname AS name, shobj_description(oid, 'pg_database') AS comment, pg_has_role(datdba, 'USAGE') AS owned
       FROM pg_database WHERE datname = current_database()`,
    );
    const { name, comment, owned } = rows[0]!;
    const mark = markOf(secretsKey);
    if (comment === mark) return;
    if (comment?.startsWith(MARK) && !previous.some((key) => markOf(key) === comment))
      throw new ForeignDatabaseError(name);
    if (owned) await client.query(`COMMENT ON DATABASE ${pg.escapeIdentifier(name)} IS '${mark}'`);
  } finally {
    await client.end();
  }
}

const markOf = (secretsKey: string): string =>
  MARK + createHash('sha256').update(`fingerprint:${secretsKey}`).digest('hex').slice(0, 32);
