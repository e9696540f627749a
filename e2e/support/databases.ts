import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { postgresServer } from './postgres-server.js';

/** A table of a service's database. */
export interface Table {
  readonly database: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** It has rows of its own, not partitions. */
  readonly isWhole: boolean;
}

const urlOf = (dataDir: string, database: string): string => {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
  const server = postgresServer(dataDir);
  if (!server) throw new Error('its PostgreSQL does not run');
  return `postgres://kontor_admin:${password}@127.0.0.1:${server.port}/${database}`;
};

/** Progress of events and of due work, which moves by itself. */
const BESIDE_THE_DATA = ['consumed_count', 'published_count', 'due_work'];

/** All databases of a running embedded system, as whoever may read every row of every tenant. */
export class Databases {
  private constructor(
    private readonly clients: ReadonlyMap<string, pg.Client>,
    private readonly dataDir: string,
  ) {}

  static async of(dataDir: string): Promise<Databases> {
    if (!existsSync(join(dataDir, 'postgres.password'))) throw new Error('an embedded system has its own PostgreSQL');
    const first = new pg.Client({ connectionString: urlOf(dataDir, 'postgres') });
    await first.connect();
    const { rows } = await first.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE 'kontor\\_%' ORDER BY 1`,
    );
    await first.end();
    const clients = new Map<string, pg.Client>();
    for (const { datname } of rows) {
      const client = new pg.Client({ connectionString: urlOf(dataDir, datname) });
      await client.connect();
      clients.set(datname, client);
    }
    return new Databases(clients, dataDir);
  }

  get names(): string[] {
    return [...this.clients.keys()];
  }

  async tables(): Promise<Table[]> {
    const found: Table[] = [];
    for (const [database, client] of this.clients) {
      const { rows } = await client.query<{ name: string; columns: string[]; isWhole: boolean }>(
        `SELECT c.relname AS name, array_agg(a.attname::text) AS columns, c.relkind = 'r' AS "isWhole"
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         GROUP BY c.relname, c.relkind ORDER BY c.relname`,
      );
      for (const row of rows) found.push({ database, ...row });
    }
    return found;
  }

  async query<Row extends object>(database: string, sql: string, params: unknown[] = []): Promise<Row[]> {
    return (await this.clients.get(database)!.query<Row>(sql, params)).rows;
  }

  /** Keeps the locks that a statement takes, until the result is called: whoever changes the rows waits. */
  async hold(database: string, sql: string, params: unknown[] = []): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: urlOf(this.dataDir, database) });
    await client.connect();
    await client.query('BEGIN');
    const { rowCount } = await client.query(sql, params);
    if (!rowCount) throw new Error(`nothing to hold in ${database}`);
    return () => client.end();
  }

  /** Tables in which any row of any tenant shows one of the texts: `kontor_billing.customer`. */
  async mentioning(texts: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const { database, name } of await this.tables()) {
      const [row] = await this.query<{ there: boolean }>(
        database,
        `SELECT EXISTS (SELECT FROM ${name} t WHERE t::text ILIKE ANY ($1::text[])) AS there`,
        [texts.map((text) => `%${text}%`)],
      );
      if (row?.there) found.push(`${database}.${name}`);
    }
    return found.sort();
  }

  /** Number and digest of a tenant's rows in every table, by table; what is only counted or noted beside the data is left out. */
  async digests(tenantId: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { database, name, columns } of await this.tables()) {
      if (!columns.includes('tenant_id') || BESIDE_THE_DATA.includes(name)) continue;
      const row = name === 'api_key' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      const [table] = await this.query<{ digest: string }>(
        database,
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(${row}), '' ORDER BY md5(${row}))), '') AS digest
         FROM ${name} t WHERE t.tenant_id = $1`,
        [tenantId],
      );
      found.set(`${database}.${name}`, table!.digest);
    }
    return found;
  }

  async end(): Promise<void> {
    for (const client of this.clients.values()) await client.end();
  }
}
