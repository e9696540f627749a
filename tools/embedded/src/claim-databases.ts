import { createHash } from 'node:crypto';
import pg from 'pg';
import { CannotStart } from './data-folder.js';

const MARK = 'kontor secrets ';

/**
 * Binds the databases to the key that encrypts their secrets, at the first start: with another key nothing encrypted could
 * be read any more, and new secrets would be lost with the old key's return. A fingerprint of it is kept as the comment of
 * the server's own database. One that belongs to a `previous` key is given to the present one.
 * @throws CannotStart when they belong to another key.
 */
export async function claimDatabases(
  adminUrl: string,
  secretsKey: string,
  previous: readonly string[],
  dataDir: string,
): Promise<void> {
  const mark = markOf(secretsKey);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ comment: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = 'postgres'`,
    );
    const found = rows[0]?.comment;
    if (found === mark) return;
    if (found?.startsWith(MARK) && !previous.some((key) => markOf(key) === found))
      throw new CannotStart(
        [
          `The secrets key (SECRETS_KEY, or ${dataDir}/secrets.key) is not the one that this database was made with:`,
          'restore it, or name that one in SECRETS_KEY_PREVIOUS.',
        ].join(' '),
      );
    await admin.query(`COMMENT ON DATABASE postgres IS '${mark}'`);
  } finally {
    await admin.end();
  }
}

const markOf = (secretsKey: string): string =>
  MARK + createHash('sha256').update(`fingerprint:${secretsKey}`).digest('hex').slice(0, 32);
