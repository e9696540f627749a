import { AsyncLocalStorage } from 'node:async_hooks';
import { invariant, isUuid } from '@kontor/kernel';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { claimIdempotencyKey, keepIdempotencySmall, storeProvisionalAnswer } from './idempotency.js';
import { requestScope } from './request-scope.js';
import { SnakeNaming } from './snake-naming.js';
import { onCommit, runAfterCommit, type SystemTx, type TenantTx } from './tx.js';
import './type-parsers.js';

export interface DatabaseOptions {
  readonly serviceName: string;
  /** Connects as the app role, so that row-level security binds every statement. */
  readonly appUrl: string;
  readonly rows: readonly Function[];
  /** Connections of this process. */
  readonly poolSize?: number;
  /** A statement that got no answer for so long is taken for lost, with its connection. Default two minutes. */
  readonly queryTimeoutMs?: number;
  /** Real time; replaced in tests. */
  readonly clock?: () => Date;
  /** Told about broken idle connections and other things that nobody awaits. */
  readonly onError?: (error: Error) => void;
}

export interface TenantOptions {
  /** The time at which the work happens (an event's, a batch's) where it is not the tenant's present. */
  readonly now?: Date;
  /** Reads only, all of it from one snapshot: a list and its total agree. */
  readonly readOnly?: boolean;
}

const ATTEMPTS = 3;
const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** One service's own PostgreSQL database. Business data is reached only through `tenant`. */
export class Database {
  /** Called when due work may have come up earlier than the runner's next look; the runner sets it. */
  dueSoon: () => void = () => undefined;
  private readonly open = new AsyncLocalStorage<{ active: boolean }>();
  private readonly stopPurging: () => void;

  private constructor(
    readonly serviceName: string,
    readonly dataSource: DataSource,
    readonly pool: pg.Pool,
    readonly clock: () => Date,
  ) {
    this.stopPurging = keepIdempotencySmall({ query: async <Row>(sql: string) => (await pool.query(sql)).rows as Row[] });
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const onError = options.onError ?? (() => undefined);
    const dataSource = new DataSource({
      type: 'postgres',
      driver: pg,
      url: options.appUrl,
      entities: [...options.rows],
      namingStrategy: new SnakeNaming(),
      synchronize: false,
      installExtensions: false,
      logging: false,
      poolSize: options.poolSize ?? 4,
      connectTimeoutMS: 10_000,
      applicationName: `kontor-${options.serviceName}`,
      poolErrorHandler: onError,
      extra: {
        keepAlive: true,
        idleTimeoutMillis: 60_000,
        keepAliveInitialDelayMillis: 10_000,
        idle_in_transaction_session_timeout: 120_000,
        query_timeout: options.queryTimeoutMs ?? 120_000,
      },
    });
    await dataSource.initialize();
    const { master } = dataSource.driver as unknown as { master: pg.Pool };
    // A server that goes away while a connection is handed over, before anybody listens, must not end the process: what uses
    // the connection next fails.
    master.on('acquire', (client) => void client.removeListener('error', ignore).on('error', ignore));
    return new Database(options.serviceName, dataSource, master, options.clock ?? (() => new Date()));
  }

  /**
   * Runs `work` in one transaction in which only `tenantId`'s rows exist, and commits what it returns. The first such
   * transaction of a request takes its Idempotency-Key with it. After a deadlock `work` runs again from its start.
   * @throws DomainError 409 `request_in_progress` when the request's key is taken.
   */
  async tenant<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>, options: TenantOptions = {}): Promise<T> {
    invariant(isUuid(tenantId), `a tenant id is a UUID, not "${tenantId}"`);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transaction((client) => this.tenantWork(client, tenantId, work, options));
      } catch (error) {
        const { code } = error as { code?: string };
        if (attempt === ATTEMPTS || (code !== DEADLOCK_DETECTED && code !== SERIALIZATION_FAILURE)) throw error;
      }
    }
  }

  /** A transaction without a tenant: rows under row-level security are invisible to it. */
  async system<T>(work: (sql: SystemTx) => Promise<T>): Promise<T> {
    return this.transaction(async (client) => {
      await client.query('BEGIN');
      const sql: SystemTx = { client, query: async (text, params) => (await client.query(text, params as unknown[])).rows };
      const result = await work(sql);
      await client.query('COMMIT');
      return { result, tx: sql };
    });
  }

  /** The tenant's time: its sandbox clock's, else the system's. */
  async now(tenantId: string): Promise<Date> {
    const { rows } = await this.pool.query<{ now: Date }>('SELECT now FROM tenant_clock WHERE tenant_id = $1', [tenantId]);
    return rows[0]?.now ?? this.clock();
  }

  async close(): Promise<void> {
    this.stopPurging();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async tenantWork<T>(
    client: pg.PoolClient,
    tenantId: string,
    work: (tx: TenantTx) => Promise<T>,
    options: TenantOptions,
  ): Promise<{ result: T; tx: object }> {
    // One round trip; the id is a checked UUID. Row-level security reads app.tenant, which ends with the transaction.
    const begun = (await client.query(
      `BEGIN${options.readOnly ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''}; SELECT set_config('app.tenant', '${tenantId}', true), (SELECT now FROM tenant_clock WHERE tenant_id = '${tenantId}') AS now`,
    )) as unknown as pg.QueryResult<{ now: Date | null }>[];
    const tx = new OpenTenantTx(this, client, tenantId, options.now ?? begun[1]?.rows[0]?.now ?? this.clock(), options.readOnly ?? false);

    const claim = requestScope.getStore()?.idempotency;
    const claiming = claim !== undefined && !claim.claimed && !options.readOnly && claim.tenantId === tenantId ? claim : undefined;
    if (claiming) claiming.claimed = true;
    try {
      if (claiming) await claimIdempotencyKey(tx, claiming);
      const result = await work(tx);
      if (claiming) await storeProvisionalAnswer(tx, claiming, result);
      await client.query('COMMIT');
      return { result, tx };
    } catch (error) {
      if (claiming) claiming.claimed = false;
      throw error;
    }
  }

  /** Connection, rollback and release around work that begins and commits by itself. */
  private async transaction<T>(body: (client: pg.PoolClient) => Promise<{ result: T; tx: object }>): Promise<T> {
    // A transaction inside another one would wait for a second connection while it holds the first: a deadlock of the pool.
    invariant(!this.open.getStore()?.active, 'a transaction is already open: pass its tx on');
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    const mark = { active: true };
    try {
      const { result, tx } = await this.open.run(mark, () => body(client));
      mark.active = false;
      runAfterCommit(tx);
      return result;
    } catch (error) {
      mark.active = false;
      // A connection that did not answer would not answer this either; the server rolls back when it is closed.
      if ((error as Error).message === 'Query read timeout') broken ??= error as Error;
      else await client.query('ROLLBACK').catch((failure: Error) => (broken ??= failure));
      throw error;
    } finally {
      client.removeListener('error', onError);
      client.release(broken);
    }
  }
}

const ignore = (): void => undefined;

class OpenTenantTx implements TenantTx {
  private entityManager: EntityManager | undefined;

  constructor(
    private readonly database: Database,
    readonly client: pg.PoolClient,
    readonly tenantId: string,
    readonly now: Date,
    readonly readOnly: boolean,
  ) {}

  async query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    return (await this.client.query(sql, params as unknown[] | undefined)).rows as Row[];
  }

  /** Made when first used. The runner is told that a transaction is open, else `save` would begin and commit its own. */
  get manager(): EntityManager {
    if (!this.entityManager) {
      const runner = this.database.dataSource.createQueryRunner();
      Object.assign(runner, { databaseConnection: this.client, isTransactionActive: true, transactionDepth: 1 });
      this.entityManager = runner.manager;
    }
    return this.entityManager;
  }

  /** Tells the runner after the commit that something is due already. */
  dueSoon(): void {
    onCommit(this, () => this.database.dueSoon());
  }
}
