import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, testPostgresUrl } from '@kontor/testing';
import { EmbeddedBus } from '../src/index.js';
import { busContract } from './bus-contract.js';
import { change, counted, createDatabase, effects, recorder, Service, type TestDatabase } from './world.js';

busContract('embedded', () => new EmbeddedBus(), testPostgresUrl);

interface Stands {
  readonly offsets: { topic: string; position: string; log_position: string }[];
  readonly counts: { tenant_id: string; type: string; n: string }[];
}

/** A server that is killed, and not the process, has lost what was committed in its last moment and may be lost. */
describe('where a group stands, in a database that came back without its last moment', () => {
  const tenantId = newUuid();
  let producer: TestDatabase;
  let consumer: TestDatabase;
  let bus: EmbeddedBus;
  let services: Service[];

  beforeEach(async () => {
    producer = await createDatabase(testPostgresUrl(), 'billing');
    consumer = await createDatabase(testPostgresUrl(), 'invoicing');
    bus = new EmbeddedBus();
    services = [new Service(producer, bus), new Service(consumer, bus, [recorder()])];
    for (const service of services) await service.start();
  });
  afterEach(async () => {
    for (const service of services) await service.stop();
    await bus.close();
    await producer.close();
    await consumer.close();
  });

  const stands = async (): Promise<Stands> => ({
    offsets: await consumer.rows('SELECT topic, position, log_position FROM bus_offset'),
    counts: await consumer.rows('SELECT tenant_id, type, n FROM consumed_count'),
  });
  const loseWhatCameAfter = async ({ offsets, counts }: Stands): Promise<void> => {
    await consumer.rows('DELETE FROM bus_offset');
    await consumer.rows('DELETE FROM consumed_count');
    for (const { topic, position, log_position } of offsets)
      await consumer.rows('INSERT INTO bus_offset VALUES ($1, $2, $3, $4)', [
        'invoicing',
        topic,
        position,
        log_position,
      ]);
    for (const { tenant_id, type, n } of counts)
      await consumer.rows('INSERT INTO consumed_count VALUES ($1, $2, $3)', [tenant_id, type, n]);
  };
  const changed = async (...ids: string[]): Promise<void> => {
    for (const id of ids) await producer.tenant(tenantId, (tx) => change(tx, [id]));
  };
  const isCounted = (n: number): Promise<boolean> =>
    eventually(
      async () => {
        const { applied } = await services[1]!.messaging.progress(tenantId);
        return applied['invoicing']?.[counted.type] === n;
      },
      `${n} are counted`,
      { limitMs: 30_000 },
    );

  it.each([0, 2])(
    'is found when the next event comes, so that all are counted, and applied once (%i before)',
    async (n) => {
      await changed(...['a', 'b'].slice(0, n));
      if (n > 0) await isCounted(n);
      const before = await stands();
      await changed('c', 'd');
      await isCounted(n + 2);
      await loseWhatCameAfter(before);
      await changed('e');
      await isCounted(n + 3);
      expect(await effects(consumer)).toHaveLength(n + 3);
    },
  );

  it('is found when the database is there again, without an event', async () => {
    await changed('a');
    await isCounted(1);
    const before = await stands();
    await changed('b');
    await isCounted(2);
    await loseWhatCameAfter(before);
    services[1]!.messaging.strategy.compareAgain();
    await isCounted(2);
    expect(await effects(consumer)).toHaveLength(2);
  });
});
