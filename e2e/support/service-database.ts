import { EmbeddedPostgres } from '@kontor/persistence';
import pg from 'pg';
import { eventually } from './api.js';
import type { System } from './system.js';

/** One service's database, past row-level security: to stop the service at a place of its work. */
export class ServiceDatabase {
  private constructor(
    private readonly client: pg.Client,
    private readonly service: string,
  ) {}

  static async of(service: string, { dataDir }: System): Promise<ServiceDatabase> {
    // The server runs already: it is only found.
    const { adminUrl } = await new EmbeddedPostgres().start(dataDir);
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    const names = 'SELECT datname AS name FROM pg_database WHERE datname LIKE $1';
    const { rows } = await admin.query<{ name: string }>(names, [`%${service}`]);
    await admin.end();
    const url = new URL(adminUrl);
    url.pathname = `/${rows[0]?.name}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return new ServiceDatabase(client, service);
  }

  end(): Promise<void> {
    return this.client.end();
  }

  /** Does something while the service, in the middle of its work, waits to write the table. */
  async reached(table: string, work: () => unknown, then: () => Promise<void> | void): Promise<void> {
    await this.client.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    try {
      work();
      const waits = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_database d ON d.oid = l.database
        WHERE NOT l.granted AND c.relname = $1 AND d.datname = current_database()`;
      await eventually(
        `${this.service} comes to ${table}`,
        async () => ((await this.client.query(waits, [table])).rowCount ?? 0) > 0,
      );
      await then();
    } finally {
      await this.client.query('ROLLBACK');
    }
  }

  /** The same for a row of the table that is changed: rows are inserted meanwhile. */
  async reachedChange(table: string, work: () => unknown, then: () => Promise<void> | void): Promise<void> {
    const lock = 4711;
    await this.client.query(
      `CREATE FUNCTION wait_for_spec() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${lock}); RETURN NULL; END $$;
       CREATE TRIGGER wait_for_spec BEFORE UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION wait_for_spec();
       SELECT pg_advisory_lock(${lock})`,
    );
    work();
    const waits = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE NOT l.granted AND l.locktype = 'advisory' AND l.objid = ${lock} AND d.datname = current_database()`;
    await eventually(
      `${this.service} comes to change ${table}`,
      async () => ((await this.client.query(waits)).rowCount ?? 0) > 0,
    );
    await then();
    await this.client.query(
      `SELECT pg_advisory_unlock(${lock});
       DROP TRIGGER wait_for_spec ON ${table};
       DROP FUNCTION wait_for_spec()`,
    );
  }

  /** Whether a transaction of the service waits for another one that holds a row or a lock by name. */
  async someoneWaits(): Promise<boolean> {
    const waits = `SELECT 1 FROM pg_locks w WHERE NOT w.granted AND w.locktype IN ('transactionid', 'tuple', 'advisory')
      AND EXISTS (SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.pid = w.pid AND d.datname = current_database())`;
    return ((await this.client.query(waits)).rowCount ?? 0) > 0;
  }

  /** Whether the service knows that a customer is gone. */
  async hasNoCustomer(id: string): Promise<boolean> {
    const { rows } = await this.client.query<{ deleted: boolean }>(
      `SELECT deleted FROM replica WHERE kind = 'customer' AND id = $1`,
      [id],
    );
    return rows[0]?.deleted === true;
  }

  /** Holds a row that others are to change. */
  async holdRow(table: string, id: string): Promise<() => Promise<void>> {
    await this.client.query('BEGIN');
    await this.client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    return async () => void (await this.client.query('ROLLBACK'));
  }

  /** Keeps back what the service publishes from now on, as a transaction does that drew its ids early and goes on for long. */
  async holdEvents(): Promise<() => Promise<void>> {
    await this.client.query('BEGIN; LOCK TABLE outbox IN ROW EXCLUSIVE MODE');
    return async () => void (await this.client.query('ROLLBACK'));
  }
}
