import { AsyncLocalStorage } from 'node:async_hooks';
import { askedFor, invariant, isUuid, type TenantId } from '@kontor/kernel';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { tenantClosed } from './closed-tenant.js';
import { ConnectionGate } from './connection-gate.js';
import { claimIdempotencyKey, storeProvisionalAnswer } from './idempotency.js';
import { CopiesMissing, MissingCopies, trackMissingCopies } from './replicas/missing-copies.js';
import { storeCopies } from './replicas/store-copies.js';
import { type IdempotencyClaim, requestScope, unclaimed } from './request-scope.js';
import type { DatabaseOptions, TenantOptions } from './database-options.js';
import { StorageGuard } from './storage/storage-guard.js';
import { DatabaseClock } from './database-clock.js';
import { Presence } from './presence.js';
import { ANSWER_TIMEOUT_MS, openDataSource } from './open-data-source.js';
import { lastAsked, OpenTenantTx, within } from './open-tenant-tx.js';
import { runAfterCommit, type SystemTx, type TenantTx } from './tx.js';
import { WritePermission } from './write-permission.js';
import './type-parsers.js';

/** For statements of a request: the gateway has given it up after 30 seconds. */
const REQUEST_TIMEOUT_MS = 28_000;
const ATTEMPTS = 3;
/** Each round fetches something new, so this many mean that work asks for copies one by one. */
const FETCH_ROUNDS = 50;
const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** One service's own PostgreSQL database. Business data is reached only through `tenant`. */
export class Database {
  /** Called when due work may have come up earlier than the runner's next look; the runner sets it. */
  dueSoon: () => void = () => undefined;
  /** Whether this process runs, for the others; begun and ended by who serves. */
  readonly presence: Presence;
  /** Whether anything may be written, which others decide. */
  readonly writes = new WritePermission();
  private readonly open = new AsyncLocalStorage<{ active: boolean }>();
  private readonly gate: ConnectionGate;

  private constructor(
    readonly serviceName: string,
    readonly dataSource: DataSource,
    readonly pool: pg.Pool,
    readonly clock: () => Date,
    readonly storage: StorageGuard,
    private readonly answerTimeoutMs: number,
    private readonly ownTime: DatabaseClock,
    private readonly endWatch: () => void,
  ) {
    this.gate = new ConnectionGate(pool.options.max ?? 1);
    this.presence = new Presence(pool, ownTime);
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const { dataSource, pool, endWatch } = await openDataSource(options);
    const ownTime = new DatabaseClock(options.onClockDifference);
    return new Database(
      options.serviceName,
      dataSource,
      pool,
      options.clock ?? ownTime.now,
      options.storage ?? new StorageGuard(),
      options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
      ownTime,
      endWatch,
    );
  }

  /**
   * Runs `work` in one transaction in which only `tenantId`'s rows exist, and commits what it returns. The first such
   * transaction of a request that writes takes its Idempotency-Key with it. After a deadlock, and after copies that it misses were
   * fetched, `work` runs again from its start.
   * @throws DomainError 409 `request_in_progress` when the request's key is taken, 503 `service_overloaded` when a request
   * gets no connection in time, 503 `service_unavailable` as {@link WritePermission}, 507 `storage_full` when background work would write without room.
   */
  async tenant<T>(tenantId: TenantId, work: (tx: TenantTx) => Promise<T>, options: TenantOptions = {}): Promise<T> {
    invariant(isUuid(tenantId), `a tenant id is a UUID, not "${tenantId}"`);
    // A request that writes was refused at the door; one that reads goes on.
    const reads = options.readOnly || options.pipelined || options.atOnce;
    const ofRequest = requestScope.getStore()?.turn !== undefined;
    if (!reads) await this.writes.require(ofRequest);
    if (!reads && !ofRequest) this.storage.requireRoom();
    const claim = reads ? undefined : unclaimed(requestScope.getStore());
    if (claim) claim.claimed = true;
    try {
      return await this.untilDone(tenantId, work, options, claim);
    } catch (error) {
      if (claim) claim.claimed = false;
      throw error;
    }
  }

  /** A transaction without a tenant: rows under row-level security are invisible to it. */
  async system<T>(work: (sql: SystemTx) => Promise<T>): Promise<T> {
    return this.transaction(async (client) => {
      await client.query(within(this.answerTimeoutMs, 'BEGIN'));
      const sql: SystemTx = {
        client,
        query: async (text, params) => (await client.query(askedFor(text), params as unknown[])).rows,
      };
      const result = await work(sql);
      await client.query('COMMIT');
      return { result, tx: sql };
    });
  }

  /** One statement that is a transaction by itself, without a tenant: a round trip instead of three. */
  async statement<Row = Record<string, unknown>>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    const leave = await this.gate.enter(requestScope.getStore()?.turn);
    try {
      return (await this.pool.query(askedFor(text), params as unknown[])).rows as Row[];
    } finally {
      leave();
    }
  }

  /** The tenant's time: its sandbox clock's, else the system's. */
  async now(tenantId: TenantId): Promise<Date> {
    const { rows } = await this.pool.query<{ now: Date }>('SELECT now FROM tenant_clock WHERE tenant_id = $1', [
      tenantId,
    ]);
    return rows[0]?.now ?? this.clock();
  }

  /** What the database says that it is now: for what cannot be taken back, such as what is deleted by its age. */
  async askTime(): Promise<Date> {
    const [row] = await this.statement<{ now: Date }>('SELECT clock_timestamp() AS now');
    return row!.now;
  }

  /** What a time of this machine is in the database. */
  timeOf(at: Date): Date {
    return this.ownTime.timeOf(at);
  }

  async close(): Promise<void> {
    this.endWatch();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async untilDone<T>(
    tenantId: TenantId,
    work: (tx: TenantTx) => Promise<T>,
    options: TenantOptions,
    claim: IdempotencyClaim | undefined,
  ): Promise<T> {
    const missing = new MissingCopies(tenantId);
    for (let attempt = 1, round = 1; ;) {
      try {
        return await this.transaction((client) => this.tenantWork(client, missing, work, options, claim), tenantId);
      } catch (error) {
        // Whatever became of the work: without copies that it asked for, it was not what should have happened.
        if (missing.isPending) {
          invariant(round++ < FETCH_ROUNDS, 'a transaction asks for copies one by one: use getMany');
          await this.fetchCopies(missing);
        } else if (!isRepeatable(error) || attempt++ === ATTEMPTS) throw error;
      }
    }
  }

  /** With no connection in hand, except to store what came. */
  private async fetchCopies(missing: MissingCopies): Promise<void> {
    const fetched = await missing.fetch();
    const store = async (tx: TenantTx): Promise<void> => {
      for (const [kind, copies] of fetched) await storeCopies(tx, kind, copies);
    };
    if (fetched.size > 0) await this.untilDone(missing.tenantId, store, {}, undefined);
  }

  private async tenantWork<T>(
    client: pg.PoolClient,
    missing: MissingCopies,
    work: (tx: TenantTx) => Promise<T>,
    options: TenantOptions,
    claim: IdempotencyClaim | undefined,
  ): Promise<{ result: T; tx: object }> {
    const { tenantId } = missing;
    const { atOnce = false, pipelined = atOnce } = options;
    const isolation = options.readOnly || pipelined ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : '';
    // One round trip; the id is a checked UUID. Row-level security reads app.tenant, which ends with the transaction.
    const { turn } = requestScope.getStore() ?? {};
    const isRequest = turn !== undefined;
    // Whoever has a token was asked for already: the gateway lets nobody in to a closed tenant but who may take it back.
    const isPublic = isRequest && turn.tenantId === undefined;
    const closed = isPublic ? `EXISTS (SELECT FROM closed_tenant WHERE tenant_id = '${tenantId}') AS closed,` : '';
    const limit = isRequest ? `set_config('statement_timeout', '${REQUEST_TIMEOUT_MS}', true),` : '';
    // Who knows the time, or takes the key first, does not wait for the answer to BEGIN.
    const together = !pipelined && (options.now !== undefined || claim !== undefined);
    const tx = new OpenTenantTx(this, client, tenantId, {
      pipelined,
      together,
      timeoutMs: isRequest ? REQUEST_TIMEOUT_MS : undefined,
    });
    const begun = tx
      .send<pg.QueryResult<{ now: Date | null; closed?: boolean }>[]>(
        within(
          this.answerTimeoutMs,
          `BEGIN${isolation};
           SELECT set_config('app.tenant', '${tenantId}', true), ${limit} ${closed}
             (SELECT now FROM tenant_clock WHERE tenant_id = '${tenantId}') AS now`,
        ),
      )
      .then((answers) => {
        const [row] = answers[1]?.rows ?? [];
        if (row?.closed) throw tenantClosed();
        tx.begin(options.now ?? row?.now ?? this.clock());
      });
    if (options.now) tx.begin(options.now);
    if (pipelined || together) begun.catch(ignore);
    else await begun;
    trackMissingCopies(tx, missing);
    try {
      if (claim) await claimIdempotencyKey(tx, claim);
      const working = work(tx);
      if (atOnce) lastAsked(tx);
      const [result] = await Promise.all([working, tx.committed]);
      if (missing.isPending) throw new CopiesMissing();
      await begun;
      if (claim) await storeProvisionalAnswer(tx, claim, result);
      await tx.commit();
      return { result, tx };
    } catch (error) {
      // Without a beginning, nothing else could go well.
      await begun;
      throw tx.causeOf(error);
    } finally {
      tx.end();
    }
  }

  /** Connection, rollback and release around work that begins and commits by itself. */
  private async transaction<T>(
    body: (client: pg.PoolClient) => Promise<{ result: T; tx: object }>,
    tenantId?: string,
  ): Promise<T> {
    // A transaction inside another one would wait for a second connection while it holds the first: a deadlock of the pool.
    invariant(!this.open.getStore()?.active, 'a transaction is already open: pass its tx on');
    const leave = await this.gate.enter(requestScope.getStore()?.turn, tenantId);
    try {
      return await this.onConnection(body);
    } finally {
      leave();
    }
  }

  private async onConnection<T>(body: (client: pg.PoolClient) => Promise<{ result: T; tx: object }>): Promise<T> {
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
      this.storage.notice(error);
      // A connection that did not answer would not answer this either; the server rolls back when it is closed.
      if ((error as Error).message === 'Query read timeout') broken ??= error as Error;
      else await client.query('ROLLBACK').catch((failure: Error) => (broken ??= failure));
      throw error;
    } finally {
      client.removeListener('error', onError);
      OpenTenantTx.endPipeline(client);
      client.release(broken);
    }
  }
}

const ignore = (): void => undefined;

const isRepeatable = (error: unknown): boolean => {
  const { code } = error as { code?: string };
  return code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE;
};
