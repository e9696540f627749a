import type pg from 'pg';

/** Older ones do not know the rights that the roles are given. */
const OLDEST = 16;
/** The first with a locale of its own, which is the same on every machine. */
const BUILTIN_LOCALE = 17;

/** The server is of a version that cannot be used. The message is one line that says what to do. */
export class OldServerError extends Error {
  constructor(version: string) {
    super(`The server is PostgreSQL ${version}, and ${OLDEST} or newer is needed: upgrade it, or name another one.`);
    this.name = 'OldServerError';
  }
}

/** @throws OldServerError */
export function refuseOldServer(version: string): void {
  if (parseInt(version) < OLDEST) throw new OldServerError(version);
}

/** @throws OldServerError */
export async function serverVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]!.server_version;
  refuseOldServer(version);
  return version;
}

/**
 * How a database compares texts, as SQL of CREATE DATABASE: byte by byte, as the embedded one does, whatever the server's own databases do. In
 * a language's order indexes do not find what begins with something, and letters have other small ones in Turkish.
 */
export const localeSql = (version: string): string =>
  `TEMPLATE template0 ENCODING 'UTF8' ${
    parseInt(version) < BUILTIN_LOCALE
      ? `LOCALE_PROVIDER libc LC_COLLATE 'C'`
      : `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C'`
  }`;
