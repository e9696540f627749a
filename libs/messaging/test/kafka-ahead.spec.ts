import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, kafkaFixture, testPostgresUrl } from '@kontor/testing';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { KafkaBus } from '../src/index.js';
import {
  change,
  counted,
  createDatabase,
  effects,
  recorder,
  sequences,
  Service,
  sleep,
  TestDatabase,
  upTo,
} from './world.js';

const kafka = await kafkaFixture();
const describeOnKafka = kafka ? describe : describe.skip;
afterAll(() => kafka?.stop());

describeOnKafka('databases of another time than Kafka', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const tenantId = newUuid();
  const admin = new Kafka({ brokers: [...(kafka?.brokers ?? ['none'])], logLevel: logLevel.NOTHING }).admin();
  let prefix: string;
  let bus: KafkaBus;
  const databases: TestDatabase[] = [];
  const running: Service[] = [];

  beforeEach(async () => {
    prefix = `${newUuid()}.`;
    bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    await admin.connect();
  });
  afterEach(async () => {
    await stop();
    await bus.close();
    await admin.disconnect();
    for (const { pool } of databases.splice(0)) if (!pool.ended) await pool.end();
  });
  const opened = (database: TestDatabase): TestDatabase => {
    databases.push(database);
    return database;
  };
  /** Of a service that publishes and of one that reads. */
  const twoDatabases = async (): Promise<[TestDatabase, TestDatabase]> => [
    opened(await createDatabase(testPostgresUrl(), 'billing')),
    opened(await createDatabase(testPostgresUrl(), 'invoicing')),
  ];
  const start = async (service: Service): Promise<Service> => {
    running.push(service);
    return service.start();
  };
  const stop = async (): Promise<void> => {
    for (const service of running.splice(0)) await service.stop();
  };
  const changed = (database: TestDatabase): Promise<void> => database.tenant(tenantId, (tx) => change(tx, ids));
  const countIs = (database: TestDatabase, table: string, rounds: number): Promise<unknown> =>
    eventually(async () => {
      const [row] = await database.rows<{ n: number }>(`SELECT coalesce(sum(n), 0)::int AS n FROM ${table}`);
      return row!.n === rounds * ids.length;
    });
  const all = (rounds: number): Record<string, number[]> => Object.fromEntries(ids.map((id) => [id, upTo(rounds)]));

  it('apply nothing and say so, until the topics are deleted: what they hold is applied then, once', async () => {
    const [producer, consumer] = await twoDatabases();
    await start(new Service(producer, bus));
    await start(new Service(consumer, bus, [recorder()]));
    await changed(producer);
    await countIs(consumer, 'consumed_count', 1);
    await running.pop()!.stop();
    await changed(producer);
    await countIs(producer, 'published_count', 2);
    await stop();
    const [producerThen, consumerThen] = [opened(await backup(producer)), opened(await backup(consumer))];

    const [producerLater, consumerLater] = [opened(producer.twin()), opened(consumer.twin())];
    await start(new Service(producerLater, bus));
    await start(new Service(consumerLater, bus, [recorder()]));
    await changed(producerLater);
    await countIs(consumerLater, 'consumed_count', 3);
    await stop();

    const from = await start(new Service(producerThen, bus));
    const to = await start(new Service(consumerThen, bus, [recorder()]));
    await eventually(() => to.messaging.strategy.stall()?.error.includes('put back from a backup') ?? false);
    expect(consumerThen.refused?.message).toContain('put back from a backup');
    expect(consumerLater.refused).toBeNull();
    await changed(producerThen);
    await countIs(producerThen, 'published_count', 3);
    await sleep(1_000);
    expect(sequences(await effects(consumerThen))).toEqual(all(1));

    await admin.deleteTopics({ topics: [prefix + counted.topic] });
    await countIs(consumerThen, 'consumed_count', 3);
    expect(sequences(await effects(consumerThen))).toEqual(all(3));
    expect(consumerThen.refused).toBeNull();
    expect(to.messaging.strategy.stall()?.error ?? '').not.toContain('backup');
    const { unpublished, published } = await from.messaging.progress(tenantId);
    const { applied, parked } = await to.messaging.progress(tenantId);
    expect([unpublished, parked, applied['invoicing']?.[counted.type]]).toEqual([0, 0, published[counted.type]]);
  });

  it('notice it while they run, as where a standby takes over that had not got everything', async () => {
    const [producer, consumer] = await twoDatabases();
    await start(new Service(producer, bus));
    const to = await start(new Service(consumer, bus, [recorder()]));
    await changed(producer);
    await countIs(consumer, 'consumed_count', 1);
    consumer.away = true;
    await changed(producer);
    await countIs(producer, 'published_count', 2);
    const standbys = [await standby(producer), await standby(consumer)];
    await countIs(consumer, 'consumed_count', 2);

    for (const takeOver of standbys) await takeOver();
    await eventually(() => to.messaging.strategy.stall()?.error.includes('put back from a backup') ?? false);
    expect(consumer.refused?.message).toContain('put back from a backup');
    await changed(producer);
    await countIs(producer, 'published_count', 3);
    await sleep(1_000);
    expect(sequences(await effects(consumer))).toEqual(all(1));

    await admin.deleteTopics({ topics: [prefix + counted.topic] });
    await countIs(consumer, 'consumed_count', 3);
    expect(sequences(await effects(consumer))).toEqual(all(3));
    expect(consumer.refused).toBeNull();
  });

  it('apply nothing out of a place that somebody moved on while they were away', async () => {
    const [producer, consumer] = await twoDatabases();
    await start(new Service(producer, bus));
    const to = await start(new Service(consumer, bus, [recorder()]));
    await changed(producer);
    await countIs(consumer, 'consumed_count', 1);
    // What it had dealt with in between is gone; nobody noticed that the database was away.
    await consumer.rows(`UPDATE bus_offset SET position = position - 1 WHERE position >= 0`);
    await changed(producer);
    await eventually(() => to.messaging.strategy.stall()?.error.includes('put back from a backup') ?? false);
    const behind = await consumer.rows<{ n: number }>('SELECT sum(n)::int AS n FROM consumed_count');
    expect(behind).toEqual([{ n: ids.length }]);
  });

  it.each(['before a consumer starts', 'while it reads'])(
    'hear what Kafka deleted unread %s, and get it when the topic is deleted',
    async (when) => {
      const [producer, consumer] = await twoDatabases();
      await start(new Service(producer, bus));
      let to = await start(new Service(consumer, bus, [recorder()]));
      await changed(producer);
      await countIs(consumer, 'consumed_count', 1);
      if (when === 'while it reads') consumer.away = true;
      else await running.pop()!.stop();
      await changed(producer);
      await countIs(producer, 'published_count', 2);
      const topic = prefix + counted.topic;
      const ends = (await admin.fetchTopicOffsets(topic)).filter(({ high }) => high !== '0');
      await admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
      if (when === 'while it reads') {
        await changed(producer);
        consumer.away = false;
      } else to = await start(new Service(consumer, bus, [recorder()]));
      await eventually(
        () => to.messaging.strategy.stall()?.error.includes('deleted events that were not read') ?? false,
      );
      await sleep(1_000);
      expect(sequences(await effects(consumer))).toEqual(all(1));

      await admin.deleteTopics({ topics: [topic] });
      const rounds = when === 'while it reads' ? 3 : 2;
      await countIs(consumer, 'consumed_count', rounds);
      expect(sequences(await effects(consumer))).toEqual(all(rounds));
    },
  );
});

/** What a backup of this moment holds, in a database of its own. Nobody is connected to the first one any more. */
async function backup(database: TestDatabase): Promise<TestDatabase> {
  await database.close();
  const url = new URL(database.url);
  await copyOf(url.pathname.slice(1));
  url.pathname += '_then';
  return new TestDatabase(database.serviceName, url.href);
}

/** Holds what the database does at this moment, and no more. @returns how it takes the database's place. */
async function standby(database: TestDatabase): Promise<() => Promise<void>> {
  const name = new URL(database.url).pathname.slice(1);
  database.away = true;
  await copyOf(name);
  database.away = false;
  return async () => {
    database.away = true;
    await onServer(async (server) => {
      await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
      await eventually(() => succeeds(server.query(`ALTER DATABASE ${name} RENAME TO ${name}_lost`)));
      await server.query(`ALTER DATABASE ${name}_then RENAME TO ${name}`);
    });
    database.away = false;
  };
}

const copyOf = (name: string): Promise<void> =>
  onServer(async (server) => {
    const copy = async (): Promise<boolean> => {
      await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
      return succeeds(server.query(`CREATE DATABASE ${name}_then TEMPLATE ${name}`));
    };
    await eventually(copy);
  });

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

async function onServer(work: (server: pg.Client) => Promise<void>): Promise<void> {
  const server = new pg.Client({ connectionString: testPostgresUrl() });
  await server.connect();
  await work(server).finally(() => server.end());
}
