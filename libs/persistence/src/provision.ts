import pg from 'pg';
import { rolesOf } from './migrate.js';
import { openSession } from './open-session.js';
import { localeSql, serverVersion } from './server-version.js';

export interface DatabasePasswords {
  readonly owner: string;
  readonly app: string;
}

export interface ProvisionOptions {
  /** Default `kontor_<service>`. */
  readonly databaseName?: string;
  /** Also makes the role that may only insert into leaf partitions (usage). Its password is the app's. */
  readonly ingest?: boolean;
}

export interface ProvisionedDatabase {
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly ingestUrl: string | null;
  readonly databaseName: string;
}

const ADVISORY_LOCK = 7_305_881_225;
const literal = pg.escapeLiteral;

/** What a service's role has and needs not, by the words of CREATE ROLE, which gives none of it by itself. */
const TOO_MUCH = `array_remove(ARRAY[${Object.entries({
  rolsuper: 'SUPERUSER',
  rolcreatedb: 'CREATEDB',
  rolcreaterole: 'CREATEROLE',
  rolbypassrls: 'BYPASSRLS',
})
  .map(([column, right]) => `CASE WHEN ${column} THEN '${right}' END`)
  .join(', ')}], NULL)`;

/**
 * Makes a service's roles and its empty database where they are missing, and sets the passwords. May run again and at once in
 * several processes. The app role can neither bypass row-level security nor change the schema. Who does it is a superuser, or may create roles
 * and databases, and then did it before.
 * @throws OldServerError
 */
export async function provisionDatabase(
  adminUrl: string,
  service: string,
  passwords: DatabasePasswords,
  options: ProvisionOptions = {},
): Promise<ProvisionedDatabase> {
  const roles = rolesOf(service);
  const databaseName = options.databaseName ?? `kontor_${service}`;
  const admin = await openSession(adminUrl, 'kontor-provision');
  try {
    const version = await serverVersion(admin);
    await admin.query(`SELECT pg_advisory_lock(${ADVISORY_LOCK})`);
    const there = await admin.query<{ name: string; too_much: string[] }>(
      `SELECT rolname AS name, ${TOO_MUCH} AS too_much FROM pg_roles WHERE rolname = ANY($1)
       UNION ALL SELECT datname || '/', '{}' FROM pg_database WHERE datname = $2`,
      [Object.values(roles), databaseName],
    );
    const existing = new Map(there.rows.map((row) => [row.name, row.too_much]));
    const login = (role: string, password: string): string =>
      [
        `${existing.has(role) ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${literal(password)}`,
        // Who is no superuser may not even say that a role stays without what it has not.
        ...(existing.get(role) ?? []).map((right) => `NO${right}`),
      ].join(' ') + ';';
    // Who is none either acts for the roles that it makes: a database is to be theirs.
    await admin.query(`SET createrole_self_grant = 'set, inherit'`);
    await admin.query(
      [
        login(roles.owner, passwords.owner),
        login(roles.app, passwords.app),
        options.ingest ? login(roles.ingest, passwords.app) : '',
        // The owner may hand functions to the look-up role, without having its rights itself.
        existing.has(roles.lookup)
          ? ''
          : `CREATE ROLE ${roles.lookup} NOLOGIN; GRANT ${roles.lookup} TO ${roles.owner} WITH INHERIT FALSE, SET TRUE;`,
      ].join('\n'),
    );
    if (!existing.has(`${databaseName}/`)) {
      // Made beside its place and moved there when complete, so that an interrupted start leaves none whose rights are missing.
      const partial = `${databaseName}_partial`;
      await admin.query(`DROP DATABASE IF EXISTS ${partial} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${partial} OWNER ${roles.owner} ${localeSql(version)}`);
      await openSchema(adminUrl, partial, roles.owner, roles.lookup, [
        roles.owner,
        roles.app,
        ...(options.ingest ? [roles.ingest] : []),
      ]);
      await admin.query(`ALTER DATABASE ${partial} RENAME TO ${databaseName}`);
    }
  } finally {
    await admin.end();
  }
  return {
    ownerUrl: urlOf(adminUrl, roles.owner, passwords.owner, databaseName),
    appUrl: urlOf(adminUrl, roles.app, passwords.app, databaseName),
    ingestUrl: options.ingest ? urlOf(adminUrl, roles.ingest, passwords.app, databaseName) : null,
    databaseName,
  };
}

async function openSchema(
  adminUrl: string,
  database: string,
  owner: string,
  lookup: string,
  logins: string[],
): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const client = await openSession(url.href, 'kontor-provision');
  try {
    await client.query(`
      REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${database} TO ${logins.join(', ')};
      ALTER SCHEMA public OWNER TO ${owner};
      REVOKE ALL ON SCHEMA public FROM PUBLIC;
      GRANT USAGE ON SCHEMA public TO ${[...logins, lookup].join(', ')};
      GRANT CREATE ON SCHEMA public TO ${lookup};`);
  } finally {
    await client.end();
  }
}

function urlOf(adminUrl: string, role: string, password: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}
