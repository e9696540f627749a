import { createHash } from 'node:crypto';
import pg from 'pg';
import { openSession } from './open-session.js';

/** The secrets in a database, or some of them, are under another key. The message is one line that says what to do. */
export class ForeignDatabaseError extends Error {
  constructor(database: string, some: boolean) {
    super(
      some
        ? `Some secrets in the database ${database} are still under an earlier SECRETS_KEY: name it in SECRETS_KEY_PREVIOUS, until the log of ` +
            'this service says that all stored secrets are under the present one.'
        : `The secrets key (SECRETS_KEY, or secrets.key in the data folder) is not the one that this database was made with (${database}): ` +
            'restore it, or name that one in SECRETS_KEY_PREVIOUS.',
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

export interface ClaimOptions {
  /** Whether secrets in it may still be under the `previous` keys, which are needed until it is claimed without this. */
  readonly isMixed?: boolean;
}

/**
 * Binds a database to the key that encrypts its secrets, at the first start: with another key nothing encrypted could be read any
 * more, new secrets would be lost with the old key's return, and the passwords of the roles, which follow from the key, would be changed under
 * who runs. A fingerprint of it is kept as the database's comment, and with it those of earlier keys that secrets are still under. One that
 * belongs to a `previous` key is given to the present one.
 * The server's own database, which an administrator's URL names, speaks for the passwords of all services; the one of a service for its secrets.
 * @throws ForeignDatabaseError when it belongs to another key, or needs another one, too.
 */
export async function claimDatabase(
  url: string,
  secretsKey: string,
  previous: readonly string[],
  { isMixed = false }: ClaimOptions = {},
): Promise<void> {
  const client = await openSession(url, 'kontor-provision');
  try {
    // Several services claim one at once.
    await client.query(`SELECT pg_advisory_lock(${ADVISORY_LOCK})`);
    const { rows } = await client.query<Found>(
      `SELECT datname AS name, shobj_description(oid, 'pg_database') AS comment, pg_has_role(datdba, 'USAGE') AS owned
       FROM pg_database WHERE datname = current_database()`,
    );
    const { name, comment, owned } = rows[0]!;
    const present = fingerprint(secretsKey);
    const earlier = previous.map(fingerprint);
    const needed = comment?.startsWith(MARK) ? comment.slice(MARK.length).split(' ') : earlier;
    if (!needed.every((key) => key === present || earlier.includes(key)))
      throw new ForeignDatabaseError(name, needed.includes(present));
    const mark = MARK + [present, ...needed.filter((key) => isMixed && key !== present)].join(' ');
    if (owned && comment !== mark) await client.query(`COMMENT ON DATABASE ${pg.escapeIdentifier(name)} IS '${mark}'`);
  } finally {
    await client.end();
  }
}

const fingerprint = (secretsKey: string): string =>
  createHash('sha256').update(`fingerprint:${secretsKey}`).digest('hex').slice(0, 32);
