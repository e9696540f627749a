import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, kafkaFixture, type KafkaFixture, testService, type TestService } from '@kontor/testing';
import kafkajs, { type Message } from 'kafkajs';
import { usageService } from '../src/index.js';

const fixture = await kafkaFixture();
const describeOnKafka = fixture ? describe : describe.skip;
const topic = `usage.events.in.${randomBytes(4).toString('hex')}`;
const [tenant, other, foreign] = [newUuid(), newUuid(), newUuid()];

const message = (tenantId: string | null, value: unknown): Message => ({
  key: null,
  value: typeof value === 'string' ? value : JSON.stringify(value),
  headers: tenantId === null ? {} : { 'tenant-id': tenantId },
});
const event = (transactionId: string, changes: object = {}) => ({
  transactionId,
  eventName: 'api_call',
  timestamp: new Date().toISOString(),
  customerId: 'crm-1',
  properties: { bytes: 10 },
  ...changes,
});
const events = (tenantId: string, from: number, count: number): Message[] =>
  Array.from({ length: count }, (_, n) => message(tenantId, event(`t${from + n}`)));

describeOnKafka('events from a Kafka topic', () => {
  const { brokers } = fixture as KafkaFixture;
  const kafka = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  const options = {
    now: new Date(),
    env: { KAFKA_BROKERS: brokers.join(','), USAGE_INTAKE_TOPIC: topic, USAGE_INTAKE_TENANTS: `${tenant},${other}` },
  };
  let first: TestService;
  let usage: TestService;

  beforeAll(async () => {
    await producer.connect();
    const admin = kafka.admin();
    await admin.connect();
    // Whoever writes chooses how it is compressed.
    const configEntries = [{ name: 'compression.type', value: 'zstd' }];
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 2, configEntries }] });
    await admin.disconnect();
    first = usage = await testService(usageService, options);
    for (const id of [tenant, other]) {
      await usage.giveCopy('customer', id, id, {
        id,
        customerNumber: 'K-1',
        externalId: 'crm-1',
        status: 'STATUS_ACTIVE',
      });
    }
  }, 90_000);
  afterAll(async () => {
    await usage?.stop();
    if (usage !== first) await first.stop().catch(() => undefined);
    await producer.disconnect();
    await fixture?.stop();
  }, 60_000);

  const stored = async (): Promise<{ events: number; distinct: number; parked: string[] }> => {
    const [row] = await usage.peek<{ events: bigint; distinct: bigint }>(
      'SELECT count(*) AS events, count(DISTINCT (tenant_id, transaction_id)) AS distinct FROM usage_event',
    );
    const parked = await usage.peek<{ code: string }>('SELECT code FROM usage_intake_parked ORDER BY code');
    return { events: Number(row!.events), distinct: Number(row!.distinct), parked: parked.map(({ code }) => code) };
  };
  async function until(check: (now: Awaited<ReturnType<typeof stored>>) => boolean): Promise<void> {
    for (let left = 300; left > 0 && !check(await stored()); left--)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }

  it('are stored once each, also when they are sent again; what cannot be taken is parked with its reason', async () => {
    const poison = [
      message(tenant, '{"transactionId":'),
      message(tenant, event('p1', { timestamp: 'yesterday' })),
      message(tenant, event('p2', { customerId: 'nobody' })),
      message(null, event('p3')),
      message(foreign, event('p4')),
      message(
        tenant,
        '{"transactionId":"p5","eventName":"e","timestamp":"2026-01-01T00:00:00Z","customerId":"crm-1","properties":{"n":1e400}}',
      ),
    ];
    await producer.send({
      topic,
      messages: [...events(tenant, 0, 1500), ...poison, ...events(other, 0, 500), ...events(tenant, 1000, 1000)],
    });
    await until(({ events, parked }) => events === 2500 && parked.length === poison.length);
    expect(await stored()).toEqual({
      events: 2500,
      distinct: 2500,
      parked: [
        'invalid_timestamp',
        'invalid_type',
        'tenant_missing',
        'tenant_not_allowed',
        'unknown_customer',
        'unreadable',
      ],
    });
    const positions = await usage.peek<{ sum: string }>(
      'SELECT sum(next_offset)::text AS sum FROM usage_intake_offset',
    );
    expect(positions[0]!.sum).toBe('3006');
  }, 60_000);

  it('go on where the database stands, not where Kafka says the group does', async () => {
    await usage.service.stop();
    await producer.send({ topic, messages: events(tenant, 10_000, 700) });
    // The group claims to have read everything: what its offsets say is a copy.
    const admin = kafka.admin();
    await admin.connect();
    for (let tries = 0; ; tries++) {
      try {
        const ends = await admin.fetchTopicOffsets(topic);
        await admin.setOffsets({
          groupId: 'usage-intake',
          topic,
          partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
        });
        break;
      } catch (error) {
        if (tries > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    await admin.disconnect();
    usage = await testService(usageService, { ...options, db: first.db });
    await producer.send({ topic, messages: [...events(tenant, 10_700, 10), ...events(tenant, 10_710, 10)] });
    await until(({ events }) => events >= 3220);
    expect(await stored()).toMatchObject({ events: 3220, distinct: 3220 });
  }, 60_000);

  it('are read again, from the first one and where nothing new comes, when Kafka says that the group has read them', async () => {
    const positions = () =>
      usage.peek<object>('SELECT partition, next_offset FROM usage_intake_offset ORDER BY partition');
    const [before, events] = [await positions(), await stored()];
    await usage.service.stop();
    // As a backup of a moment before they came.
    await usage.peek('DELETE FROM usage_intake_offset RETURNING partition');
    usage = await testService(usageService, { ...options, db: first.db });
    await eventually(async () => (await positions()).length === before.length);
    await eventually(async () => String((await positions()).map(Object.values)) === String(before.map(Object.values)));
    expect(await stored()).toEqual(events);
  }, 240_000);

  /** As a database of a moment before anything came. */
  const LOSE = `WITH positions AS (DELETE FROM usage_intake_offset), keys AS (DELETE FROM usage_event_key)
    DELETE FROM usage_event RETURNING transaction_id`;

  it('are read again each time the database comes back older, whatever the process remembers', async () => {
    const all = await stored();
    for (const round of [1, 2]) {
      expect(await usage.peek(LOSE)).toHaveLength(all.events + 2 * (round - 1));
      const next = event(`again${round}`);
      const messages = [0, 1].map((partition) => ({ ...message([tenant, other][partition]!, next), partition }));
      await producer.send({ topic, messages });
      await eventually(async () => (await stored()).events === all.events + 2 * round);
    }
  }, 240_000);

  it('are read again where nothing new comes, once the database is back', async () => {
    const all = await stored();
    expect(await usage.peek(LOSE)).toHaveLength(all.events);
    await usage.peek(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await eventually(async () => (await stored()).events === all.events);
  }, 240_000);

  it('are missed, and said to be, where Kafka deleted them before they were read', async () => {
    await usage.service.stop();
    const before = await stored();
    await producer.send({
      topic,
      messages: events(tenant, 40_000, 10).map((sent) => ({ ...sent, partition: 0 })),
    });
    const admin = kafka.admin();
    await admin.connect();
    const { high } = (await admin.fetchTopicOffsets(topic)).find(({ partition }) => partition === 0)!;
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: high }] });
    await admin.disconnect();
    usage = await testService(usageService, { ...options, db: first.db });
    await producer.send({
      topic,
      messages: events(tenant, 40_100, 5).map((sent, n) => ({ ...sent, partition: n % 2 })),
    });
    await until(({ events }) => events >= before.events + 5);
    const { events: count, parked } = await stored();
    expect(count).toBe(before.events + 5);
    expect(parked.filter((code) => code === 'deleted_unread')).toHaveLength(1);
    const [lost] = await usage.peek(
      'SELECT topic, partition, "offset", message FROM usage_intake_parked ORDER BY parked_at DESC',
    );
    expect(lost).toMatchObject({
      topic,
      partition: 0,
      offset: BigInt(high) - 10n,
      message: expect.stringContaining('10 messages'),
    });
  }, 120_000);

  it('are read from the beginning of a topic that was made anew', async () => {
    await usage.service.stop();
    const before = await stored();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    for (let tries = 0; ; tries++) {
      try {
        await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 2 }] });
        break;
      } catch (error) {
        // It is deleted a moment later.
        if (tries > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    await admin.disconnect();
    await producer.send({ topic, messages: [...events(tenant, 20_000, 30), ...events(tenant, 0, 5)] });
    usage = await testService(usageService, { ...options, db: first.db });
    await until(({ events }) => events === before.events + 30);
    expect(await stored()).toMatchObject({ events: before.events + 30, distinct: before.events + 30 });
  }, 60_000);

  it('wait for customers whose owner has spoken of them already', async () => {
    const id = newUuid();
    const admin = kafka.admin();
    await admin.connect();
    // One of its partitions is still to be copied from here.
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'billing.customer', numPartitions: 2 }] });
    await producer.send({ topic: 'billing.customer', messages: [{ partition: 1, value: 'of customer crm-2' }] });
    const before = await stored();
    const late = (n: number) => message(tenant, event(`late${n}`, { customerId: 'crm-2' }));
    const nobodys = message(tenant, event('nobodys', { customerId: 'nobody' }));
    await producer.send({ topic, messages: [late(1), nobodys, late(2)].map((sent) => ({ ...sent, partition: 0 })) });
    await producer.send({ topic, messages: [{ ...message(tenant, event('other')), partition: 1 }] });
    await until(({ events }) => events === before.events + 1);
    expect(await stored()).toMatchObject({ events: before.events + 1, parked: before.parked });
    await usage.giveCopy('customer', tenant, id, { id, customerNumber: 'K-2', externalId: 'crm-2' });
    await admin.setOffsets({
      groupId: 'usage',
      topic: 'billing.customer',
      partitions: [{ partition: 1, offset: '1' }],
    });
    await admin.disconnect();
    await until(({ events }) => events === before.events + 3);
    const { events: count, parked } = await stored();
    expect(count).toBe(before.events + 3);
    expect(parked.filter((code) => code === 'unknown_customer')).toHaveLength(2);
  }, 60_000);

  it('are read on from a topic that is made again after it was deleted, whatever time their writer gives them', async () => {
    const before = await stored();
    // As of Kafka 4 a broker refuses it, unless it stamps by its own time.
    const ahead = String(Date.now() + 2 * 3_600_000);
    const messages = events(tenant, 30_000, 5).map((sent) => ({ ...sent, timestamp: ahead }));
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
    // Sent until it is there: what is sent twice counts once.
    await eventually(async () => {
      await producer.send({ topic, messages }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return (await stored()).events === before.events + 5;
    });
  }, 120_000);
});
