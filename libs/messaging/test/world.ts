import pg from 'pg';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent, type EventEnvelope } from '@kontor/contracts';
import { newUuid, type Tx } from '@kontor/kernel';
import {
  appendEvents,
  type BusPort,
  configureMessaging,
  type ConsumerHandler,
  Messaging,
  type MessagingDatabase,
  messagingMigrations,
  type RelayOptions,
} from '../src/index.js';

const Counted = Type.Object({ n: Type.Integer(), note: Type.Optional(Type.String()) });
export type Counted = Static<typeof Counted>;
const define = (word: string, topic: 'billing.customer' | 'billing.charges') =>
  defineEvent({ type: `${topic}.${word}.v1`, topic, description: 'only in tests', schema: Counted, example: { n: 1 } });

export const counted = define('counted', 'billing.customer');
export const recounted = define('recounted', 'billing.customer');
export const charged = define('counted', 'billing.charges');

const afterCommit = new WeakMap<object, (() => void)[]>();
const services = new WeakMap<object, string>();
configureMessaging({
  afterCommit: (tx, run) => void afterCommit.get(tx)?.push(run),
  serviceOf: (tx) => services.get(tx),
});

/** A service's database as persistence would wire it, with a switch that makes it unreachable. */
export class TestDatabase implements MessagingDatabase {
  /** True: every statement fails like a server that is away, or like one of a process that died. */
  away = false;
  /** Why nothing may be written. */
  refused: Error | null = null;
  readonly pool: pg.Pool;

  constructor(
    readonly serviceName: string,
    readonly url: string,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 8 });
    this.pool.on('error', () => undefined);
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, options: { now?: Date } = {}): Promise<T> {
    return this.transaction((query) => ({ tenantId, now: options.now ?? new Date(), query }) as Tx, work);
  }

  refuseWrites(why: Error | null): void {
    this.refused = why;
  }

  async statement<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    this.check();
    return (await this.pool.query(sql, params as unknown[])).rows as Row[];
  }

  system<T>(work: (sql: Tx) => Promise<T>): Promise<T> {
    return this.transaction((query) => ({ query }) as Tx, work);
  }

  private async transaction<T>(make: (query: Tx['query']) => Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.check();
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const tx = make(async (sql, params) => {
        this.check();
        return (await client.query(sql, params as unknown[])).rows as never;
      });
      services.set(tx, this.serviceName);
      afterCommit.set(tx, []);
      await client.query('begin');
      try {
        const result = await work(tx);
        this.check();
        await client.query('commit');
        for (const run of afterCommit.get(tx) ?? []) run();
        return result;
      } catch (error) {
        await client.query('rollback').catch((failed: Error) => (broken = failed));
        throw error;
      }
    } finally {
      client.release(broken);
    }
  }

  private check(): void {
    if (this.away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }

  async connect(): Promise<pg.Client> {
    this.check();
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.query = (async (...args: unknown[]) => {
      this.check();
      return query(...args);
    }) as never;
    return client;
  }

  /** The same database, as another process sees it. */
  twin(): TestDatabase {
    return new TestDatabase(this.serviceName, this.url);
  }

  rows<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return this.pool.query(sql, params).then((result) => result.rows as Row[]);
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** A new database with this lib's tables, an aggregate table and a table of effects without any unique key. */
export async function createDatabase(adminUrl: string, service: string): Promise<TestDatabase> {
  const name = `m_${service}_${newUuid().replaceAll('-', '').slice(-12)}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = new TestDatabase(service, url.href);
  for (const migration of messagingMigrations) await database.pool.query(migration.sql);
  await database.pool.query(`
    CREATE TABLE aggregate (id text PRIMARY KEY, version int NOT NULL DEFAULT 0);
    CREATE TABLE effect (
      n bigint GENERATED ALWAYS AS IDENTITY, consumer text, tenant_id text, aggregate_id text, seq int, now timestamptz,
      at timestamptz DEFAULT clock_timestamp()
    );`);
  return database;
}

/** Changes aggregates as a use case does: lock the row, count its version up, append the event. */
export async function change(tx: Tx, ids: readonly string[], definition = counted, note?: string): Promise<void> {
  for (const id of ids) {
    const [row] = await tx.query<{ version: number }>(
      'INSERT INTO aggregate (id, version) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET version = aggregate.version + 1 RETURNING version',
      [id],
    );
    await appendEvents(tx, definition, [
      {
        aggregateId: id,
        aggregateSeq: row!.version,
        payload: { n: row!.version, ...(note !== undefined && { note }) },
      },
    ]);
  }
}

export type Reaction = (event: EventEnvelope<Counted>, tx: Tx) => Promise<void> | void;

/** A consumer that writes one effect row per event. */
export function recorder(
  options: { consumer?: string; types?: string[]; batch?: boolean; before?: Reaction } = {},
): ConsumerHandler {
  const consumer = options.consumer ?? 'recorder';
  return {
    consumer,
    types: options.types ?? [counted.type],
    batch: options.batch ?? false,
    async invoke(input, tx) {
      const events = (Array.isArray(input) ? input : [input]) as EventEnvelope<Counted>[];
      for (const event of events) await options.before?.(event, tx);
      await tx.query(
        `INSERT INTO effect (consumer, tenant_id, aggregate_id, seq, now)
         SELECT $1, $2, e.a, e.s, $5 FROM unnest($3::text[], $4::int[]) WITH ORDINALITY AS e(a, s, o) ORDER BY o`,
        [consumer, tx.tenantId, events.map((e) => e.aggregateId), events.map((e) => e.aggregateSeq), tx.now],
      );
    },
  };
}

/** One service in one process; `kill` is a crash: nothing of it reaches its database any more. */
export class Service {
  readonly messaging: Messaging;
  constructor(
    readonly database: TestDatabase,
    readonly bus: BusPort,
    handlers: ConsumerHandler[] = [],
    relay: RelayOptions = {},
  ) {
    this.messaging = new Messaging({ database, bus, relay: { electionMs: 50, slowPollMs: 200, ...relay } });
    for (const handler of handlers) this.messaging.register(handler);
  }

  async start(): Promise<this> {
    await this.messaging.startRelay();
    await new Promise<void>((resolve, reject) =>
      this.messaging.strategy.listen((error) => (error ? reject(error as Error) : resolve())),
    );
    return this;
  }

  async stop(): Promise<void> {
    await this.messaging.strategy.close();
    await this.messaging.stopRelay();
  }
}

export interface Effect {
  consumer: string;
  aggregate_id: string;
  seq: number;
  now: Date;
}

export const effects = (database: TestDatabase, consumer = 'recorder'): Promise<Effect[]> =>
  database.rows<Effect>('SELECT * FROM effect WHERE consumer = $1 ORDER BY n', [consumer]);

/** `{ aggregate: [1, 2, 3] }` in the order of application. */
export function sequences(list: readonly Effect[]): Record<string, number[]> {
  const result: Record<string, number[]> = {};
  for (const { aggregate_id, seq } of list) (result[aggregate_id] ??= []).push(seq);
  return result;
}

export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
