import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, kafkaFixture, testPostgresUrl } from '@kontor/testing';
import { Kafka, logLevel } from 'kafkajs';
import { KafkaBus } from '../src/index.js';
import { change, createDatabase, effects, recorder, sequences, Service, type TestDatabase, upTo } from './world.js';

const kafka = await kafkaFixture();
const describeOnKafka = kafka ? describe : describe.skip;
afterAll(() => kafka?.stop());

describeOnKafka('a group that Kafka gives what it had read', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const tenantId = newUuid();
  const admin = new Kafka({ brokers: [...(kafka?.brokers ?? ['none'])], logLevel: logLevel.NOTHING }).admin();
  let prefix: string;
  let bus: KafkaBus;
  let producer: TestDatabase;
  let consumer: TestDatabase;
  const running: Service[] = [];

  beforeEach(async () => {
    prefix = `${newUuid()}.`;
    bus = new KafkaBus({ brokers: kafka!.brokers, clientId: 'test', prefix });
    producer = await createDatabase(testPostgresUrl(), 'billing');
    consumer = await createDatabase(testPostgresUrl(), 'invoicing');
    await admin.connect();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    await bus.close();
    await admin.disconnect();
    await Promise.all([producer.close(), consumer.close()]);
  });
  const start = async (service: Service): Promise<Service> => {
    running.push(service);
    return service.start();
  };
  const changed = (): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ids));
  const countIs = (rounds: number): Promise<unknown> =>
    eventually(async () => {
      const [row] = await consumer.rows<{ n: number }>('SELECT coalesce(sum(n), 0)::int AS n FROM consumed_count');
      return row!.n === rounds * ids.length;
    });

  it('passes it over, also what is older than its inbox', async () => {
    await start(new Service(producer, bus));
    await start(new Service(consumer, bus, [recorder()]));
    await changed();
    await countIs(1);
    await running.pop()!.stop();
    await changed();
    // It has 35 days, and Kafka events of up to 37: it deletes whole files of them, of up to seven days.
    await consumer.rows('DELETE FROM inbox');
    // As where somebody puts it back to the beginning, or it was away for longer than Kafka remembers groups.
    await admin.deleteGroups([`${prefix}invoicing`]);
    await start(new Service(consumer, bus, [recorder()]));
    await changed();
    await countIs(3);
    expect(sequences(await effects(consumer))).toEqual(Object.fromEntries(ids.map((id) => [id, upTo(3)])));
  });
});
