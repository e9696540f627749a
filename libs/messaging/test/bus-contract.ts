import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import type { BusPort, LogPage } from '../src/index.js';
import { DomainError } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import {
  change,
  charged,
  type Counted,
  counted,
  createDatabase,
  effects,
  recorder,
  recounted,
  sequences,
  Service,
  sleep,
  TestDatabase,
  upTo,
} from './world.js';

export interface BusMaker {
  /** A bus as one more process would open it; all of one `world` see the same events. */
  (world: string): BusPort;
}

/** What every bus promises; run against each adapter. */
export function busContract(name: string, makeBus: BusMaker, adminUrl: () => string): void {
  describe(`the ${name} bus`, () => {
    let world: string;
    let producer: TestDatabase;
    let consumer: TestDatabase;
    let running: { stop(): Promise<void> }[];
    const tenantId = newUuid();

    beforeEach(async () => {
      world = `${newUuid()}.`;
      producer = await createDatabase(adminUrl(), 'billing');
      consumer = await createDatabase(adminUrl(), 'invoicing');
      running = [];
    });
    afterEach(async () => {
      for (const item of running.reverse()) await item.stop();
      await producer.close();
      await consumer.close();
    });

    const bus = (): BusPort => {
      const made = makeBus(world);
      running.push({ stop: () => made.close() });
      return made;
    };
    const started = async (service: Service): Promise<Service> => {
      running.push(service);
      return service.start();
    };
    const changeOnce = (...ids: string[]): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ids));

    it('carries an event with everything that its producer wrote', async () => {
      const seen: unknown[] = [];
      const shared = bus();
      await started(new Service(producer, shared));
      await started(new Service(consumer, shared, [recorder({ before: (event) => void seen.push(event) })]));
      const now = new Date('2026-01-31T02:00:00.123Z');
      await producer.tenant(tenantId, (tx) => change(tx, ['a'], counted, 'Ümläut "quoted" \u0001'), { now });
      await eventually(async () => (await effects(consumer)).length === 1);
      expect(seen[0]).toMatchObject({
        type: counted.type,
        tenantId,
        aggregateId: 'a',
        aggregateSeq: 1,
        effectiveAt: now.toISOString(),
        payload: { n: 1, note: 'Ümläut "quoted" \u0001' },
      });
      expect((await effects(consumer))[0]!.now).toEqual(now);
    });

    it('delivers what was committed while nobody was running', async () => {
      await changeOnce('a', 'b');
      await changeOnce('a');
      const shared = bus();
      await started(new Service(consumer, shared, [recorder()]));
      await started(new Service(producer, shared));
      await eventually(async () => (await effects(consumer)).length === 3);
      expect(sequences(await effects(consumer))).toEqual({ a: [1, 2], b: [1] });
    });

    it('applies once and in order under concurrent, slow and rolled-back transactions over two aggregates', async () => {
      const shared = bus();
      await started(new Service(producer, shared, [], { pageSize: 7 }));
      await started(new Service(consumer, shared, [recorder({ batch: true })]));
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      const worker = async (seed: number): Promise<void> => {
        for (let i = 0; i < 25; i++) {
          const first = ids[(seed + i) % ids.length]!;
          const second = ids[(seed * 3 + i * 5 + 1) % ids.length]!;
          const pair = [...new Set([first, second])].sort();
          await producer
            .tenant(tenantId, async (tx) => {
              await change(tx, pair);
              if (i % 3 === 0) await sleep((seed * 7 + i) % 15);
              if (i % 5 === 4) throw new DomainError('rolled_back');
            })
            .catch((error: Error) => expect(error.message).toBe('rolled back'));
        }
      };
      await Promise.all(upTo(6).map(worker));
      const versions = await producer.rows<{ id: string; version: number }>('SELECT * FROM aggregate');
      const expected = Object.fromEntries(versions.map(({ id, version }) => [id, upTo(version)]));
      const total = versions.reduce((sum, { version }) => sum + version, 0);
      await eventually(async () => (await effects(consumer)).length >= total);
      expect(sequences(await effects(consumer))).toEqual(expected);
    });

    it('does not overtake a transaction that drew its id early', async () => {
      const shared = bus();
      await started(new Service(producer, shared));
      await started(new Service(consumer, shared, [recorder()]));
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const early = producer.tenant(tenantId, async (tx) => {
        await change(tx, ['early']);
        await gate;
      });
      await sleep(50);
      await changeOnce('late');
      await sleep(300);
      expect(await effects(consumer)).toEqual([]);
      release();
      await early;
      await eventually(async () => (await effects(consumer)).length === 2);
    });

    it('loses nothing and repeats nothing when its process dies between publish and mark', async () => {
      const first = bus();
      const dying = new Service(producer.twin(), {
        kind: first.kind,
        prepare: (topics) => first.prepare(topics),
        attachLog: (log, upTo) => first.attachLog(log, upTo),
        subscribe: (subscription) => first.subscribe(subscription),
        close: () => first.close(),
        async publish(page) {
          await first.publish(page);
          dying.database.away = true;
        },
      });
      await changeOnce('a', 'b');
      await dying.start();
      const applied = await started(new Service(consumer, first, [recorder()]));
      await eventually(() => dying.database.away);
      await applied.stop();
      running.pop();
      expect(await producer.rows('SELECT last_id::int FROM relay_state')).toEqual([{ last_id: 0 }]);
      await dying.stop();
      await dying.database.close();
      await changeOnce('a');
      const second = bus();
      await started(new Service(producer, second));
      await started(new Service(consumer, second, [recorder()]));
      await eventually(async () => (await effects(consumer)).length >= 3);
      await sleep(200);
      expect(sequences(await effects(consumer))).toEqual({ a: [1, 2], b: [1] });
    });

    it('applies an event once when its consumer dies between effect and offset', async () => {
      const first = bus();
      await started(new Service(producer, first));
      const database = consumer.twin();
      const dying = new Service(
        database,
        {
          ...portOf(first),
          subscribe: (subscription) =>
            first.subscribe({
              ...subscription,
              async handle(events) {
                await subscription.handle(events);
                database.away = true;
                throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
              },
            }),
        },
        [recorder()],
      );
      await dying.start();
      await changeOnce('a', 'b');
      await eventually(() => database.away);
      await dying.stop();
      await database.close();
      expect((await effects(consumer)).length).toBeGreaterThan(0);
      await changeOnce('a');
      await started(new Service(consumer, name === 'embedded' ? first : bus(), [recorder()]));
      await eventually(async () => (await effects(consumer)).length >= 3);
      await sleep(200);
      expect(sequences(await effects(consumer))).toEqual({ a: [1, 2], b: [1] });
      expect(await consumer.rows('SELECT type, n::int FROM consumed_count')).toEqual([{ type: counted.type, n: 3 }]);
    });

    it('a consumer that is added later leaves the counts equal', async () => {
      const shared = bus();
      const from = await started(new Service(producer, shared));
      const before = await started(new Service(consumer, shared, [recorder()]));
      await changeOnce('a', 'b');
      await eventually(
        async () => (await before.messaging.progress(tenantId)).applied['invoicing']?.[counted.type] === 2,
      );
      await before.stop();
      running.splice(running.indexOf(before), 1);
      const after = await started(
        new Service(consumer, shared, [
          recorder(),
          recorder({ consumer: 'added', types: [counted.type, recounted.type] }),
        ]),
      );
      await producer.tenant(tenantId, (tx) => change(tx, ['a'], recounted));
      await eventually(async () => (await effects(consumer, 'added')).length === 1);
      const equal = async (): Promise<boolean> => {
        const { published } = await from.messaging.progress(tenantId);
        const { applied } = await after.messaging.progress(tenantId);
        return [counted, recounted].every(({ type }) => applied['invoicing']?.[type] === published[type]);
      };
      await eventually(equal);
      expect(sequences(await effects(consumer, 'added'))).toEqual({ a: [2] });
    });

    it('parks a poison message, lets other aggregates pass, queues its own behind it and replays in order', async () => {
      let broken = true;
      const shared = bus();
      await started(new Service(producer, shared));
      let tries = 0;
      const service = await started(
        new Service(consumer, shared, [
          recorder({
            before: (event) => {
              if (!broken || event.aggregateId !== 'bad' || (event.payload as Counted).n !== 2) return;
              tries++;
              throw new DomainError('unknown_tax_group', { detail: 'What it cites ends \0 nothing.' });
            },
          }),
        ]),
      );
      await changeOnce('bad');
      await changeOnce('bad');
      await changeOnce('good');
      await changeOnce('bad');
      await eventually(async () => 'good' in sequences(await effects(consumer)));
      await eventually(async () => (await service.messaging.parked.list()).length === 2);
      expect(tries).toBe(5);
      const parked = await service.messaging.parked.list(tenantId);
      expect(parked.map(({ aggregateId, reason }) => ({ aggregateId, reason }))).toEqual([
        { aggregateId: 'bad', reason: 'poison' },
        { aggregateId: 'bad', reason: 'behind' },
      ]);
      expect(parked[0]!.error).toContain('(unknown_tax_group): What it cites ends \uFFFD nothing.');
      expect(sequences(await effects(consumer))).toEqual({ bad: [1], good: [1] });
      expect(await service.messaging.parked.replay()).toEqual({ applied: 0, failed: 1 });
      broken = false;
      expect(await service.messaging.parked.replay()).toEqual({ applied: 2, failed: 0 });
      await changeOnce('bad');
      await eventually(async () => (await effects(consumer)).length === 5);
      expect(sequences(await effects(consumer))).toEqual({ bad: [1, 2, 3, 4], good: [1] });
      expect(await service.messaging.parked.list()).toEqual([]);
    });

    it('takes a bad one out of a batch and applies the rest of it', async () => {
      await producer.tenant(tenantId, (tx) =>
        change(
          tx,
          upTo(40).map((n) => `c${n}`),
          charged,
        ),
      );
      const shared = bus();
      const before = (event: { aggregateId: string }): void => {
        if (event.aggregateId === 'c17') throw new DomainError('invoice_address_incomplete');
      };
      const service = await started(
        new Service(consumer, shared, [recorder({ types: [charged.type], batch: true, before })]),
      );
      await started(new Service(producer, shared));
      await eventually(async () => (await effects(consumer)).length === 39);
      expect((await service.messaging.parked.list()).map((message) => message.aggregateId)).toEqual(['c17']);
    });

    it('parks nothing while the database is away, and goes on afterwards', async () => {
      const shared = bus();
      await started(new Service(producer, shared));
      const service = await started(new Service(consumer, shared, [recorder()]));
      await changeOnce('a');
      await eventually(async () => (await effects(consumer)).length === 1);
      consumer.away = true;
      for (let i = 0; i < 5; i++) await changeOnce('a', 'b');
      await sleep(1_500);
      consumer.away = false;
      await eventually(async () => (await effects(consumer)).length === 11);
      expect(sequences(await effects(consumer))).toEqual({ a: upTo(6), b: upTo(5) });
      expect(await service.messaging.parked.list()).toEqual([]);
    });

    it('says that its consumer waits for a lock, whichever table that is of', async () => {
      const shared = bus();
      await started(new Service(producer, shared));
      const service = await started(new Service(consumer, shared, [recorder()]));
      await changeOnce('a');
      await eventually(async () => (await effects(consumer)).length === 1);
      for (const [n, table, what] of [
        [1, 'effect', 'recorder'],
        [2, 'bus_offset', 'positions'],
      ] as const) {
        const operator = await consumer.pool.connect();
        await operator.query('BEGIN');
        await operator.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const began = Date.now();
        await changeOnce('a');
        const stalls = await eventually(() => {
          const found = service.messaging.stalls();
          return found.length > 0 && found;
        });
        expect(stalls).toEqual([
          { part: 'consumer', since: expect.any(Date), error: expect.stringMatching(`^${what}: not done yet`) },
        ]);
        expect(stalls[0]!.since.getTime()).toBeGreaterThanOrEqual(began);
        await operator.query('ROLLBACK');
        operator.release();
        await eventually(() => service.messaging.stalls().length === 0);
        await eventually(async () => (await effects(consumer)).length === n + 1);
      }
    });

    it('says what its consumer waits for while that does not get on', async () => {
      const shared = bus();
      await started(new Service(producer, shared));
      let isAway = true;
      const before = (): void => {
        if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      };
      const service = await started(new Service(consumer, shared, [recorder({ before })]));
      const began = Date.now();
      await changeOnce('a');
      // On a busy machine the member itself is without an answer for a moment, too.
      const stall = await eventually(() =>
        service.messaging.stalls().find(({ error }) => /^billing\.customer.*ECONNREFUSED/.test(error)),
      );
      expect(stall.part).toBe('consumer');
      expect(stall.since.getTime()).toBeGreaterThanOrEqual(began);
      isAway = false;
      await eventually(() => service.messaging.stalls().length === 0);
      expect(sequences(await effects(consumer))).toEqual({ a: [1] });
    });

    it('gives every consumer of a service each event once, also when one of them fails', async () => {
      const shared = bus();
      await started(new Service(producer, shared));
      const failing = recorder({
        consumer: 'failing',
        before: () => {
          throw new Error('bug');
        },
      });
      const both = recorder({ consumer: 'both', types: [counted.type, recounted.type] });
      const service = await started(new Service(consumer, shared, [failing, recorder(), both]));
      await changeOnce('a');
      await producer.tenant(tenantId, (tx) => change(tx, ['a'], recounted));
      await eventually(async () => (await effects(consumer, 'both')).length === 2);
      await eventually(async () => (await effects(consumer)).length === 1);
      await eventually(async () => (await service.messaging.progress(tenantId)).parked === 1);
      await eventually(
        async () => (await service.messaging.progress(tenantId)).applied['invoicing']?.[recounted.type] === 1,
      );
      expect((await service.messaging.progress(tenantId)).applied['invoicing']).toMatchObject({
        [counted.type]: 1,
        [recounted.type]: 1,
      });
    });

    it('counts what was published and applied, so that a tenant can be seen to be quiet', async () => {
      const shared = bus();
      const from = await started(new Service(producer, shared));
      const to = await started(new Service(consumer, shared, [recorder({ batch: true })]));
      expect(await to.messaging.progress(tenantId)).toMatchObject({
        unpublished: 0,
        published: {},
        applied: { invoicing: { [counted.type]: 0 } },
        parked: 0,
      });
      for (let i = 0; i < 4; i++) await changeOnce('a', 'b', 'c');
      const quiet = async (): Promise<boolean> => {
        const { unpublished, published } = await from.messaging.progress(tenantId);
        const { applied } = await to.messaging.progress(tenantId);
        return unpublished === 0 && published[counted.type] === applied['invoicing']?.[counted.type];
      };
      await eventually(quiet);
      expect(await effects(consumer)).toHaveLength(12);
      expect((await from.messaging.progress(tenantId)).published).toEqual({ [counted.type]: 12 });
    });

    it('counts once what was published again because the answer to publishing was lost', async () => {
      const shared = bus();
      const lost = new Set<bigint>();
      const forgetful = Object.assign(Object.create(shared) as BusPort, {
        async publish(page: LogPage): Promise<void> {
          await shared.publish(page);
          if (page.records.length === 0 || lost.has(page.upTo)) return;
          lost.add(page.upTo);
          throw new Error('the answer was lost');
        },
      });
      const from = await started(new Service(producer, forgetful));
      const to = await started(new Service(consumer, shared, [recorder({ batch: true })]));
      for (let i = 0; i < 4; i++) await changeOnce('a', 'b', 'c');
      const applied = async (): Promise<number | undefined> =>
        (await to.messaging.progress(tenantId)).applied['invoicing']?.[counted.type];
      await eventually(async () => (await from.messaging.progress(tenantId)).published[counted.type] === 12);
      await eventually(async () => (await applied()) === 12);
      expect(lost.size).toBeGreaterThan(0);
      // What comes after it has come after the repetitions, too.
      await changeOnce('a', 'b', 'c');
      await eventually(async () => (await effects(consumer)).length === 15);
      await eventually(async () => (await from.messaging.progress(tenantId)).published[counted.type] === 15);
      await eventually(async () => (await applied()) === 15);
    });

    it('two processes of a producer and of a consumer do the work of one', async () => {
      const firstBus = bus();
      const secondBus = name === 'embedded' ? firstBus : bus();
      const producerTwin = producer.twin();
      const consumerTwin = consumer.twin();
      running.push({ stop: () => producerTwin.close() }, { stop: () => consumerTwin.close() });
      await started(new Service(producer, firstBus));
      await started(new Service(producerTwin, secondBus));
      await started(new Service(consumer, firstBus, [recorder({ batch: true })]));
      await started(new Service(consumerTwin, secondBus, [recorder({ batch: true })]));
      await Promise.all(
        upTo(20).map(async (n) => {
          for (let i = 0; i < 5; i++)
            await (n % 2 ? producer : producerTwin).tenant(tenantId, (tx) => change(tx, [`x${n}`]));
        }),
      );
      await eventually(async () => (await effects(consumer)).length >= 100);
      await sleep(200);
      expect(sequences(await effects(consumer))).toEqual(Object.fromEntries(upTo(20).map((n) => [`x${n}`, upTo(5)])));
    });
  });
}

const portOf = (bus: BusPort): BusPort => ({
  kind: bus.kind,
  prepare: (topics) => bus.prepare(topics),
  attachLog: (log, upTo) => bus.attachLog(log, upTo),
  publish: (page) => bus.publish(page),
  subscribe: (subscription) => bus.subscribe(subscription),
  close: () => bus.close(),
});
