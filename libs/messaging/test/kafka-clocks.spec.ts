import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionsOf } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually, kafkaFixture, testPostgresUrl } from '@kontor/testing';
import { Kafka, logLevel } from 'kafkajs';
import { KafkaBus } from '../src/index.js';
import { change, counted, createDatabase, effects, recorder, sequences, Service, type TestDatabase } from './world.js';

const kafka = await kafkaFixture();
const describeOnKafka = kafka ? describe : describe.skip;
afterAll(() => kafka?.stop());

const AHEAD_MS = 2 * 3_600_000;
/** kafkajs declares a name for it, and has none. */
const TOPIC = 2;

/** As of Kafka 4 a broker refuses what is stamped more than an hour ahead of it, unless it stamps by its own time. */
describeOnKafka('a machine whose clock is two hours ahead of the broker', () => {
  const admin = new Kafka({ brokers: [...(kafka?.brokers ?? ['none'])], logLevel: logLevel.NOTHING }).admin();
  const tenantId = newUuid();
  const machineNow = Date.now;
  let topic: string;
  let database: TestDatabase;
  let bus: KafkaBus;

  beforeEach(async () => {
    const prefix = `${newUuid()}.`;
    topic = prefix + counted.topic;
    bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    database = await createDatabase(testPostgresUrl(), 'billing');
    await admin.connect();
  });
  afterEach(async () => {
    Date.now = machineNow;
    await admin.disconnect();
    await bus.close();
    await database.close();
  });

  it('publishes to topics that are stamped by the time of the broker', async () => {
    await bus.prepare([counted.topic]);
    const asked = { type: TOPIC, name: topic, configNames: ['message.timestamp.type'] };
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [asked] });
    expect(resources[0]!.configEntries).toMatchObject([{ configValue: 'LogAppendTime' }]);
  });

  it('keeps its events for a topic that refuses them, and publishes them when the clock is right', async () => {
    const configEntries = [
      { name: 'message.timestamp.type', value: 'CreateTime' },
      { name: 'message.timestamp.after.max.ms', value: '3600000' },
    ];
    const numPartitions = partitionsOf(counted.topic);
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions, configEntries }] });
    const failures: string[] = [];
    const publish = bus.publish.bind(bus);
    bus.publish = (page) =>
      publish(page).catch((error: unknown) => {
        failures.push(String(error));
        throw error;
      });
    const service = await new Service(database, bus, [recorder()]).start();
    try {
      Date.now = () => machineNow() + AHEAD_MS;
      await database.tenant(tenantId, (tx) => change(tx, ['a']));
      await eventually(() => failures.length > 0);
      expect(failures[0]).toMatch(/timestamp/);
      Date.now = machineNow;
      await database.tenant(tenantId, (tx) => change(tx, ['a']));
      await eventually(async () => (await effects(database)).length === 2);
      expect(sequences(await effects(database))).toEqual({ a: [1, 2] });
      expect(await database.rows('SELECT aggregate_id FROM outbox_quarantine')).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
