import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { appendEvent, BusRefusal, type BusPort, EmbeddedBus, type LogPage } from '../src/index.js';
import { eventually, testPostgresUrl } from '@kontor/testing';
import {
  change,
  charged,
  counted,
  createDatabase,
  effects,
  recorder,
  sequences,
  Service,
  sleep,
  type TestDatabase,
  upTo,
} from './world.js';

/** A bus that only notes what it is given. */
class NotingBus implements BusPort {
  readonly kind = 'embedded';
  readonly pages: LogPage[] = [];
  refuse: (record: LogPage['records'][number]) => boolean = () => false;
  async prepare(): Promise<void> {}
  attachLog(): void {}
  async publish(page: LogPage): Promise<void> {
    if (page.records.some(this.refuse)) throw new BusRefusal('MESSAGE_TOO_LARGE');
    this.pages.push(page);
  }
  async subscribe() {
    return { stop: async () => undefined, stall: () => null };
  }
  async close(): Promise<void> {}
  records = (): LogPage['records'][number][] => this.pages.flatMap((page) => page.records);
}

describe('the relay', () => {
  const tenantId = newUuid();
  let database: TestDatabase;
  const running: Service[] = [];

  beforeEach(async () => {
    database = await createDatabase(testPostgresUrl(), 'billing');
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    await database.close();
  });
  const start = async (service: Service): Promise<Service> => {
    running.push(service);
    return service.start();
  };
  /** Its partitions, as if it had been there on the days from `days` ago on. */
  const ranSince = (days: number, until = 0): Promise<unknown> =>
    database.rows(`DO $$ DECLARE day date; parent text; BEGIN
      FOR day IN SELECT (now() AT TIME ZONE 'UTC')::date - n FROM generate_series(${until}, ${days}) AS n LOOP
        FOREACH parent IN ARRAY ARRAY['outbox', 'inbox'] LOOP
          EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            parent || '_' || to_char(day, 'YYYYMMDD'), parent, day, day + 1);
        END LOOP;
      END LOOP;
    END $$`);

  it('refuses a payload that breaks its schema, or is over 256 KiB, and keeps nothing of it', async () => {
    await expect(
      database.tenant(tenantId, (tx) =>
        appendEvent(tx, counted, { aggregateId: 'a', aggregateSeq: 1, payload: { n: 'x' } as never }),
      ),
    ).rejects.toThrow('breaks its schema');
    const payload = { n: 1, note: 'x'.repeat(262_144) };
    await expect(
      database.tenant(tenantId, (tx) => appendEvent(tx, counted, { aggregateId: 'a', aggregateSeq: 1, payload })),
    ).rejects.toThrow('too large');
    expect(await database.rows('SELECT 1 FROM outbox')).toEqual([]);
  });

  it('publishes nothing of a transaction that rolled back', async () => {
    const bus = new NotingBus();
    await start(new Service(database, bus));
    await database.tenant(tenantId, async (tx) => { await change(tx, ['a']); throw new Error('no'); }).catch(() => undefined); // prettier-ignore
    await database.tenant(tenantId, (tx) => change(tx, ['b']));
    await eventually(() => bus.pages.length > 0);
    await sleep(100);
    expect(bus.records().map((record) => record.aggregateId)).toEqual(['b']);
  });

  it('says that it waits for a transaction that does not end, or for a lock, and goes on with its end', async () => {
    const bus = new NotingBus();
    const { messaging } = await start(new Service(database, bus));
    await eventually(() => messaging.isLeader);
    const expectedStall = {
      part: 'relay',
      since: expect.any(Date),
      error: expect.stringMatching(/^the outbox: not done/),
    };
    for (const [n, ...statements] of [
      [1, 'LOCK TABLE outbox IN ROW EXCLUSIVE MODE'],
      [2, 'LOCK TABLE published_count IN ACCESS EXCLUSIVE MODE'],
    ] as const) {
      const operator = await database.pool.connect();
      await operator.query('BEGIN');
      for (const statement of statements) await operator.query(statement);
      await database.tenant(tenantId, (tx) => change(tx, ['a']));
      const stalls = await eventually(() => {
        const found = messaging.stalls();
        return found.length > 0 && found;
      });
      expect(stalls).toEqual([expectedStall]);
      await operator.query('ROLLBACK');
      operator.release();
      await eventually(() => messaging.stalls().length === 0);
      await eventually(async () => (await database.rows('SELECT FROM published_count WHERE n = $1', [n])).length === 1);
    }
    expect(new Set(bus.records().map((record) => record.aggregateSeq))).toEqual(new Set([1, 2]));
  });

  it('publishes what was written on days that ids of before do not let expect: a clock was wrong for a while', async () => {
    const bus = new NotingBus();
    await start(new Service(database, bus));
    const machine = Date.now;
    const ahead = 5 * 86_400_000;
    Date.now = () => machine() + ahead;
    try {
      await database.tenant(tenantId, (tx) => change(tx, ['ahead']));
    } finally {
      Date.now = machine;
    }
    await eventually(() => bus.records().length === 1);
    for (const id of ['a', 'b', 'c']) await database.tenant(tenantId, (tx) => change(tx, [id]));
    await eventually(() => bus.records().length === 4);
    expect(bus.records().map((record) => record.aggregateId)).toEqual(['ahead', 'a', 'b', 'c']);
  });

  it('has one leader; when its session dies another process goes on without gap, and the old one cannot write', async () => {
    const bus = new NotingBus();
    const twin = database.twin();
    const first = await start(new Service(database, bus));
    await eventually(() => first.messaging.isLeader);
    const second = await start(new Service(twin, bus));
    await sleep(200);
    expect(second.messaging.isLeader).toBe(false);
    for (let i = 0; i < 10; i++) {
      await twin.tenant(tenantId, (tx) => change(tx, ['a']));
      if (i === 4)
        await database.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_locks
           WHERE locktype = 'advisory' AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
    }
    await eventually(() => new Set(bus.records().map((record) => record.aggregateSeq)).size === 10);
    const firstSeen = [...new Set(bus.records().map((record) => record.aggregateSeq))];
    expect(firstSeen).toEqual(upTo(10));
    expect(await database.rows('SELECT leader_epoch::int >= 2 AS fenced FROM relay_state')).toEqual([{ fenced: true }]);
    await second.stop();
    running.pop();
    await twin.close();
  });

  it('a leader that does not reach the broker leaves the lead to a process that does', async () => {
    const [cutOff, bus] = [new NotingBus(), new NotingBus()];
    cutOff.publish = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const twin = database.twin();
    const first = await start(new Service(database, cutOff, [], { giveUpMs: 300, electionMs: 50 }));
    await eventually(() => first.messaging.isLeader);
    const second = await start(new Service(twin, bus, [], { giveUpMs: 300, electionMs: 50 }));
    for (let n = 0; n < 3; n++) await database.tenant(tenantId, (tx) => change(tx, ['a']));
    await eventually(() => new Set(bus.records().map((record) => record.aggregateSeq)).size === 3);
    expect(cutOff.pages).toEqual([]);
    await second.stop();
    running.pop();
    await twin.close();
  });

  it('puts an event that the broker refuses for good aside with its aggregate, publishes the others, and releases in order', async () => {
    const bus = new NotingBus();
    bus.refuse = (record) => record.aggregateId === 'huge' && record.aggregateSeq === 2;
    const service = await start(new Service(database, bus));
    for (const id of ['huge', 'a', 'huge', 'a', 'huge', 'a']) await database.tenant(tenantId, (tx) => change(tx, [id]));
    const published = (id: string): number[] =>
      bus
        .records()
        .filter((record) => record.aggregateId === id)
        .map((record) => record.aggregateSeq);
    await eventually(() => published('a').length === 3);
    expect(published('huge')).toEqual([1]);
    expect(await database.rows('SELECT count(*)::int AS n FROM outbox_quarantine')).toEqual([{ n: 2 }]);
    // A sandbox clock does not go on without them.
    expect((await service.messaging.progress(tenantId)).parked).toBe(2);
    bus.refuse = () => false;
    await service.messaging.releaseQuarantine();
    await eventually(() => published('huge').length === 3);
    expect(published('huge')).toEqual([1, 2, 3]);
    await eventually(async () => (await service.messaging.progress(tenantId)).published[counted.type] === 6);
    await eventually(async () => (await service.messaging.progress(tenantId)).parked === 0);
  });

  it('what is refused again after its release waits again with its aggregate, and keeps nothing else waiting', async () => {
    const bus = new NotingBus();
    bus.refuse = (record) => record.aggregateId === 'huge' && record.aggregateSeq === 2;
    const service = await start(new Service(database, bus));
    for (const id of ['huge', 'huge', 'huge', 'a']) await database.tenant(tenantId, (tx) => change(tx, [id]));
    const waiting = (): Promise<unknown[]> => database.rows('SELECT release FROM outbox_quarantine ORDER BY outbox_id');
    await eventually(async () => (await waiting()).length === 2);
    await service.messaging.releaseQuarantine();
    await eventually(async () => JSON.stringify(await waiting()) === '[{"release":false},{"release":false}]');
    await database.tenant(tenantId, (tx) => change(tx, ['a']));
    const published = (): string[] => bus.records().map(({ aggregateId, aggregateSeq }) => aggregateId + aggregateSeq);
    await eventually(() => published().includes('a2'));
    expect(published()).toEqual(['huge1', 'a1', 'a2']);
  });

  it('keeps partitions for the coming days and never drops what is not published', async () => {
    const bus = new NotingBus();
    await ranSince(35);
    await database.rows(
      "CREATE TABLE outbox_20200101 PARTITION OF outbox FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')",
    );
    await database.rows(
      "CREATE TABLE inbox_20200101 PARTITION OF inbox FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')",
    );
    await database.tenant(tenantId, (tx) => change(tx, ['a']));
    await database.rows("UPDATE outbox SET day = '2020-01-01'");
    // Beside the inbox's, the five days of the outbox that lie more than thirty back.
    expect(await database.rows('SELECT messaging_maintain(30, 35) AS dropped')).toEqual([{ dropped: 6 }]);
    await start(new Service(database, bus));
    await eventually(async () => (await database.rows('SELECT 1 FROM relay_state WHERE last_id > 0')).length === 1);
    // The service keeps its partitions when it starts, which may be before or after it published.
    await eventually(async () => {
      await database.rows('SELECT messaging_maintain(30, 35)').catch(() => []);
      return (
        (await database.rows<{ dropped: boolean }>("SELECT to_regclass('outbox_20200101') IS NULL AS dropped"))[0]
          ?.dropped === true
      );
    });
    expect((await database.rows("SELECT 1 FROM pg_inherits WHERE inhparent = 'outbox'::regclass")).length).toBe(35);
  });

  it('keeps what may not be read or may come again while everything stood still for forty days', async () => {
    await ranSince(80, 40);
    await database.tenant(tenantId, (tx) => change(tx, ['a', 'b', 'c']));
    await database.rows(
      `UPDATE outbox SET day = (now() AT TIME ZONE 'UTC')::date - CASE id WHEN 1 THEN 80 WHEN 2 THEN 40 ELSE 39 END`,
    );
    await database.rows('UPDATE relay_state SET last_id = 3');
    await database.rows(`INSERT INTO inbox (consumer, day, event_id)
      SELECT 'charges', (now() AT TIME ZONE 'UTC')::date - n, gen_random_uuid() FROM unnest(ARRAY[80, 40, 39]) AS n`);
    await database.rows(`INSERT INTO counted_apart (event_id, counted_at)
      SELECT gen_random_uuid(), now() - make_interval(days => n) FROM unnest(ARRAY[80, 40]) AS n`);
    await database.rows('SELECT messaging_maintain(30, 35)');
    expect(await database.rows('SELECT aggregate_id AS id FROM outbox ORDER BY outbox.id')).toEqual([{ id: 'b' }, { id: 'c' }]); // prettier-ignore
    const ages = "SELECT (now() AT TIME ZONE 'UTC')::date - day AS age FROM inbox ORDER BY 1";
    expect(await database.rows(ages)).toEqual([{ age: 39 }, { age: 40 }]);
    expect(await database.rows('SELECT 1 FROM counted_apart')).toHaveLength(1);
  });

  it('forgets old events of days that had no partition, and none that the broker refused', async () => {
    const bus = new NotingBus();
    bus.refuse = ({ aggregateId }) => aggregateId === 'huge';
    await ranSince(35);
    await database.rows(
      "CREATE TABLE outbox_20200101 PARTITION OF outbox FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')",
    );
    for (const id of ['huge', 'a', 'huge', 'b', 'c']) await database.tenant(tenantId, (tx) => change(tx, [id]));
    await database.rows(`UPDATE outbox SET day = CASE WHEN id <= 2 THEN '2020-01-01'::date ELSE '2020-01-02' END
      WHERE aggregate_id <> 'c'`);
    const left = async (): Promise<unknown[]> => {
      await database.rows('SELECT messaging_maintain(30, 35)').catch(() => []);
      const rows = await database.rows<{ id: string }>('SELECT aggregate_id AS id FROM outbox ORDER BY outbox.id');
      return rows.map(({ id }) => id);
    };
    expect(await left()).toEqual(['huge', 'a', 'huge', 'b', 'c']);
    const service = await start(new Service(database, bus));
    await eventually(async () => (await database.rows('SELECT 1 FROM relay_state WHERE last_id > 4')).length === 1);
    await eventually(async () => JSON.stringify(await left()) === '["huge","a","huge","c"]');
    bus.refuse = () => false;
    await service.messaging.releaseQuarantine();
    await eventually(async () => JSON.stringify(await left()) === '["c"]');
    expect(bus.records().map(({ aggregateId }) => aggregateId)).toEqual(['a', 'b', 'c', 'huge', 'huge']);
  });

  it('drains a backlog of thousands in batches of 500, each applied once', async () => {
    const consumer = await createDatabase(testPostgresUrl(), 'invoicing');
    const n = 5_000;
    for (let i = 0; i < n; i += 500) await database.tenant(tenantId, (tx) => change(tx, upTo(500).map((k) => `c${i + k}`), charged)); // prettier-ignore
    const bus = new EmbeddedBus();
    const calls: number[] = [];
    const handler = recorder({ types: [charged.type], batch: true });
    const counting = {
      ...handler,
      invoke: (input: never, tx: never) => {
        calls.push((input as unknown[]).length);
        return handler.invoke(input, tx);
      },
    };
    await start(new Service(consumer, bus, [counting]));
    await start(new Service(database, bus));
    await eventually(async () => (await effects(consumer)).length === n);
    expect(Object.keys(sequences(await effects(consumer)))).toHaveLength(n);
    expect(Math.max(...calls)).toBe(500);
    expect(calls.length).toBeLessThan(30);
    for (const service of running.splice(0)) await service.stop();
    await consumer.close();
  });
});
