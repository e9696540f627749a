import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, kafkaFixture, testPostgresUrl } from '@kontor/testing';
import { Kafka, logLevel } from 'kafkajs';
import { KafkaBus, withEveryCodec } from '../src/index.js';
import { busContract } from './bus-contract.js';
import {
  change,
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

const kafka = await kafkaFixture();
const describeOnKafka = kafka ? describe : describe.skip;
afterAll(() => kafka?.stop());

describeOnKafka('what is no event', () => {
  it('is parked where it lies, and what comes behind it goes on', async () => {
    const prefix = `${newUuid()}.`;
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const tenantId = newUuid();
    const bus = new KafkaBus({
      brokers: kafka!.brokers,
      clientId: 'test',
      prefix,
      sessionTimeoutMs: 6_000,
      heartbeatMs: 1_000,
    });
    const service = await new Service(database, bus, [recorder()]).start();
    const producer = new Kafka({ brokers: [...kafka!.brokers], logLevel: logLevel.NOTHING }).producer();
    try {
      const changed = (): Promise<void> => database.tenant(tenantId, (tx) => change(tx, ['a']));
      await changed();
      await eventually(async () => (await effects(database)).length === 1);
      const event = { eventId: newUuid(), type: counted.type, topic: counted.topic, tenantId, aggregateId: 'b', aggregateSeq: 1,
        effectiveAt: '2026-01-01T00:00:00.000Z', headers: {}, payload: { n: 1 } }; // prettier-ignore
      const wrong = [
        { eventId: 'x' }, { eventId: 'ffffffff-ffff-7fff-8fff-ffffffffffff' }, { tenantId: 'x' }, { type: 1 }, { topic: null }, { aggregateId: 'a\0' },
        { aggregateId: 'a'.repeat(256) }, { type: 'a'.repeat(256) },
        { aggregateSeq: 1.5 }, { effectiveAt: 'x' },
        { effectiveAt: '0000-01-01T00:00:00.000Z' }, { effectiveAt: '9999-12-31T23:59:59.999Z' },
        { headers: null }, { headers: { position: 0.5 } }, { payload: undefined },
      ]; // prettier-ignore
      const deep = JSON.stringify(event).replace('{"n":1}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
      const values = [
        null,
        deep,
        '',
        'no JSON \0',
        'null',
        '[]',
        '{}',
        ...wrong.map((part) => JSON.stringify({ ...event, ...part })),
      ];
      await producer.connect();
      for (const key of ['a', 'b', 'c', null])
        await producer.send({ topic: prefix + counted.topic, messages: values.map((value) => ({ key, value })) });
      await changed();
      await producer.send({ topic: prefix + counted.topic, messages: [{ key: 'b', value: JSON.stringify(event) }] });
      await eventually(async () => (await effects(database)).length === 3);
      await eventually(async () => (await service.messaging.parked.list()).length === 4 * values.length);
      expect(sequences(await effects(database))).toEqual({ a: [1, 2], b: [1] });
      expect(await service.messaging.parked.replay()).toEqual({ applied: 0, failed: 4 * values.length });
      const [first] = await service.messaging.parked.list();
      expect(first).toMatchObject({ consumer: 'billing', type: 'unreadable', topic: counted.topic, reason: 'poison' });
      expect(first!.aggregateId).toMatch(/^billing\.customer\/\d+@\d+$/);
      await service.messaging.parked.discard(first!.id);
      expect(await service.messaging.parked.list()).toHaveLength(4 * values.length - 1);
    } finally {
      await producer.disconnect();
      await service.stop();
      await bus.close();
      await database.close();
    }
  });
});

describeOnKafka('a topic that is lost', () => {
  it('is made again, and what comes afterwards is published, applied and counted', async () => {
    const prefix = `${newUuid()}.`;
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const tenantId = newUuid();
    const bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    const service = await new Service(database, bus, [recorder()]).start();
    const admin = new Kafka({ brokers: [...kafka!.brokers], logLevel: logLevel.NOTHING }).admin();
    try {
      const changed = (): Promise<void> => database.tenant(tenantId, (tx) => change(tx, ['a']));
      const applied = async (): Promise<number | undefined> =>
        (await service.messaging.progress(tenantId)).applied['billing']?.[counted.type];
      for (const _ of upTo(3)) await changed();
      await eventually(async () => (await applied()) === 3);
      await admin.connect();
      await admin.deleteTopics({ topics: [prefix + counted.topic] });
      // A consumer that learns of it first makes it again as well.
      await eventually(async () => (await admin.listTopics()).includes(prefix + counted.topic));
      await changed();
      await eventually(async () => (await applied()) === 4);
      expect(sequences(await effects(database))).toEqual({ a: upTo(4) });
      const { clusterId } = await admin.describeCluster();
      expect(await database.rows('SELECT DISTINCT cluster FROM published_topic')).toEqual([{ cluster: clusterId }]);
    } finally {
      await admin.disconnect();
      await service.stop();
      await bus.close();
      await database.close();
    }
  });

  it('gets as many partitions as somebody had given it, so that nothing is counted twice or passed over', async () => {
    const prefix = `${newUuid()}.`;
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const tenantId = newUuid();
    const topic = prefix + counted.topic;
    const admin = new Kafka({ brokers: [...kafka!.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 19 }] });
    const bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    const service = await new Service(database, bus, [recorder()]).start();
    try {
      const ids = upTo(40).map((n) => `c${n}`);
      const changed = (): Promise<void> => database.tenant(tenantId, (tx) => change(tx, ids));
      const applied = async (): Promise<number | undefined> =>
        (await service.messaging.progress(tenantId)).applied['billing']?.[counted.type];
      await changed();
      await eventually(async () => (await applied()) === 40);
      await admin.deleteTopics({ topics: [topic] });
      await eventually(async () => (await admin.listTopics()).includes(topic));
      await changed();
      await eventually(async () => (await applied()) === 80, 'all are counted', { limitMs: 60_000 });
      expect(await admin.fetchTopicOffsets(topic)).toHaveLength(19);
      expect(sequences(await effects(database))).toEqual(Object.fromEntries(ids.map((id) => [id, upTo(2)])));
    } finally {
      await admin.disconnect();
      await service.stop();
      await bus.close();
      await database.close();
    }
  });

  it('that somebody had given more partitions gets each event where it had been, before and since', async () => {
    const prefix = `${newUuid()}.`;
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const tenantId = newUuid();
    const topic = prefix + counted.topic;
    const admin = new Kafka({ brokers: [...kafka!.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 5 }] });
    const bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    const service = await new Service(database, bus, [recorder()]).start();
    try {
      const ids = upTo(40).map((n) => `c${n}`);
      const changed = (some: string[]): Promise<void> => database.tenant(tenantId, (tx) => change(tx, some));
      const applied = async (): Promise<number | undefined> =>
        (await service.messaging.progress(tenantId)).applied['billing']?.[counted.type];
      await changed(ids);
      await eventually(async () => (await applied()) === 40);
      await admin.createPartitions({ topicPartitions: [{ topic, count: 19 }] });
      // Not in the moment after a publication, for which topics are taken for whole.
      await sleep(200);
      await changed(ids.slice(0, 5));
      await eventually(async () => (await applied()) === 45, 'what is new is read', { limitMs: 60_000 });
      await admin.deleteTopics({ topics: [topic] });
      await eventually(async () => (await admin.listTopics()).includes(topic));
      await changed(ids);
      const all = Object.fromEntries(ids.map((id, n) => [id, upTo(n < 5 ? 3 : 2)]));
      await eventually(
        async () => JSON.stringify(sequences(await effects(database))).length === JSON.stringify(all).length,
        'all are applied',
        { limitMs: 60_000 },
      );
      await sleep(2_000);
      expect(sequences(await effects(database))).toEqual(all);
      expect(await applied()).toBe(85);
    } finally {
      await admin.disconnect();
      await service.stop();
      await bus.close();
      await database.close();
    }
  });
});

describeOnKafka('a topic that is lost with events that a service has not read', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const tenantId = newUuid();
  const admin = new Kafka({ brokers: [...(kafka?.brokers ?? ['none'])], logLevel: logLevel.NOTHING }).admin();
  let prefix: string;
  let producer: TestDatabase;
  let consumer: TestDatabase;
  let bus: KafkaBus;
  const running: Service[] = [];

  beforeEach(async () => {
    prefix = `${newUuid()}.`;
    producer = await createDatabase(testPostgresUrl(), 'billing');
    consumer = await createDatabase(testPostgresUrl(), 'invoicing');
    bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    await admin.connect();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    await bus.close();
    await admin.disconnect();
    await producer.close();
    await consumer.close();
  });
  const start = async (service: Service): Promise<Service> => {
    await service.start();
    running.push(service);
    return service;
  };
  const stop = async (service: Service): Promise<void> => {
    running.splice(running.indexOf(service), 1);
    await service.stop();
  };
  const changed = (): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ids));
  const all = (rounds: number): Record<string, number[]> => Object.fromEntries(ids.map((id) => [id, upTo(rounds)]));
  const countOf = async (database: TestDatabase, table: string): Promise<number> =>
    (await database.rows<{ n: number }>(`SELECT coalesce(sum(n), 0)::int AS n FROM ${table}`))[0]!.n;

  it.each([
    ['the service that publishes', async () => undefined],
    [
      'an operator',
      async (topic: string) =>
        // It is deleted a moment later; the service that publishes may be faster all the same.
        void (await eventually(() =>
          admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 12 }] }).then(
            () => true,
            () => false,
          ),
        )),
    ],
  ])('is made anew by %s: they are published again, and applied once, in order', async (_who, make) => {
    const from = await start(new Service(producer, bus));
    const before = await start(new Service(consumer, bus, [recorder()]));
    await changed();
    await eventually(async () => (await countOf(consumer, 'consumed_count')) === ids.length);
    await stop(before);
    await changed();
    await changed();
    await eventually(async () => (await countOf(producer, 'published_count')) === 3 * ids.length);
    // Not in the moment after a publication, for which topics are taken for whole.
    await sleep(200);
    await admin.deleteTopics({ topics: [prefix + counted.topic] });
    await make(prefix + counted.topic);
    await changed();
    // One that is added has nothing to do with what its service had dealt with before.
    const to = await start(new Service(consumer, bus, [recorder(), recorder({ consumer: 'added' })]));
    await eventually(async () => (await countOf(consumer, 'consumed_count')) === 4 * ids.length);
    await changed();
    await eventually(async () => (await effects(consumer, 'added')).length >= 4 * ids.length);
    await eventually(async () => (await countOf(consumer, 'consumed_count')) >= 5 * ids.length);
    expect(sequences(await effects(consumer))).toEqual(all(5));
    expect(sequences(await effects(consumer, 'added'))).toEqual(
      Object.fromEntries(ids.map((id) => [id, [2, 3, 4, 5]])),
    );
    const { unpublished, published } = await from.messaging.progress(tenantId);
    const { applied, parked } = await to.messaging.progress(tenantId);
    expect([unpublished, parked, applied['invoicing']?.[counted.type]]).toEqual([0, 0, published[counted.type]]);
  });
});

describeOnKafka('an event that cannot be written', () => {
  it('is put aside, and the others are published', async () => {
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix: `${newUuid()}.` });
    await database.tenant(newUuid(), (tx) => change(tx, ['a', 'bad', 'c']));
    await database.rows("UPDATE outbox SET effective_at = '0001-01-01 BC' WHERE aggregate_id = 'bad'");
    const service = await new Service(database, bus, [recorder()]).start();
    try {
      await eventually(async () => (await effects(database)).length === 2);
      expect(sequences(await effects(database))).toEqual({ a: [1], c: [1] });
      expect(await database.rows('SELECT aggregate_id FROM outbox_quarantine')).toEqual([{ aggregate_id: 'bad' }]);
    } finally {
      await service.stop();
      await bus.close();
      await database.close();
    }
  });
});

describeOnKafka('what is compressed', () => {
  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('by %s is read', async (compression) => {
    withEveryCodec();
    const topic = newUuid();
    const client = new Kafka({ brokers: [...kafka!.brokers], logLevel: logLevel.NOTHING });
    const [admin, producer] = [client.admin(), client.producer()];
    const consumer = client.consumer({ groupId: topic });
    const texts = upTo(2_000).map(
      (n) => `${n} ${'Kiesel'.repeat(n % 50)} ${createHash('sha256').update(`${n}`).digest('hex')}`,
    );
    const read: string[] = [];
    try {
      await admin.connect();
      // The broker compresses what it stores, as Java's clients do.
      const configEntries = [{ name: 'compression.type', value: compression }];
      await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1, configEntries }] });
      await producer.connect();
      await producer.send({ topic, messages: texts.map((value) => ({ value })) });
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({ eachMessage: async ({ message }) => void read.push(String(message.value)) });
      await eventually(async () => read.length === texts.length);
      expect(read).toEqual(texts);
    } finally {
      await Promise.all([consumer.disconnect(), producer.disconnect(), admin.disconnect()]);
    }
  });
});

describeOnKafka('a partition whose work fails for a passing reason', () => {
  it('keeps none of the others that came with it from theirs', async () => {
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const tenantId = newUuid();
    const bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix: `${newUuid()}.` });
    let away = true;
    const before = (event: { aggregateId: string }): void => {
      if (away && event.aggregateId === 'x1') throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    };
    const ids = upTo(24).map((n) => `x${n}`);
    for (let round = 0; round < 2; round++) await database.tenant(tenantId, (tx) => change(tx, ids));
    const service = await new Service(database, bus, [recorder({ batch: true, before })]).start();
    try {
      // What shares a partition with it waits behind it.
      await eventually(async () => (await effects(database)).length >= 24);
      expect(sequences(await effects(database))).not.toHaveProperty('x1');
      away = false;
      await eventually(async () => (await effects(database)).length === 48);
      expect(sequences(await effects(database))).toEqual(Object.fromEntries(ids.map((id) => [id, [1, 2]])));
      expect(await service.messaging.parked.list()).toEqual([]);
    } finally {
      await service.stop();
      await bus.close();
      await database.close();
    }
  });
});

describeOnKafka('with a broker', () =>
  busContract(
    'kafka',
    (world) =>
      new KafkaBus({
        brokers: kafka!.brokers,
        clientId: 'test',
        prefix: world,
        sessionTimeoutMs: 6_000,
        heartbeatMs: 1_000,
      }),
    testPostgresUrl,
  ),
);
