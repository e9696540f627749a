import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newUuid } from '@kontor/kernel';
import { KafkaBus } from '../src/index.js';
import {
  eventually,
  FaultProxy,
  freePort,
  kafkaFixture,
  type KafkaProcess,
  kafkaStarter,
  shareOf,
  testPostgresUrl,
} from '@kontor/testing';
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

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** A broker that is reached through a proxy alone: needs one that this process starts. */
interface Broker {
  broker: KafkaProcess;
  readonly proxy: FaultProxy;
  readonly folder: string;
  /** As after a loss of its disk. */
  startEmpty(): Promise<void>;
}

async function brokerBehindProxy(): Promise<Broker | null> {
  const starter = await kafkaStarter();
  if (process.env['KAFKA_BROKERS'] || (await starter.kafkaMissing()) !== null) {
    await (await kafkaFixture())?.stop(); // fails where REQUIRE_KAFKA asks for it
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kontor-kafka-'));
  const port = await freePort();
  const proxy = await FaultProxy.to({ host: '127.0.0.1', port });
  const begin = (): Promise<KafkaProcess> => starter.startKafka({ dataDir: folder, port, advertisedPort: proxy.port });
  const running: Broker = {
    broker: await begin(),
    proxy,
    folder,
    async startEmpty() {
      await running.broker.stop();
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      running.broker = await begin();
    },
  };
  return running;
}

const kafka = await brokerBehindProxy();
afterAll(async () => {
  await kafka?.proxy.close();
  await kafka?.broker.stop();
  if (kafka) rmSync(kafka.folder, { recursive: true, force: true });
});

(kafka ? describe : describe.skip)('Kafka that fails', () => {
  const tenantId = newUuid();
  let producer: TestDatabase;
  let consumer: TestDatabase;
  let prefix: string;
  const running: { stop(): Promise<unknown> }[] = [];

  beforeEach(async () => {
    prefix = `${newUuid()}.`;
    producer = await createDatabase(testPostgresUrl(), 'billing');
    consumer = await createDatabase(testPostgresUrl(), 'invoicing');
  });

  afterEach(async () => {
    for (const item of running.splice(0).reverse()) await item.stop();
    await producer.close();
    await consumer.close();
  });

  const bus = (): KafkaBus => {
    const made = new KafkaBus({
      brokers: kafka!.broker.brokers,
      clientId: 'faults',
      prefix,
      sessionTimeoutMs: 6_000,
      heartbeatMs: 1_000,
      requestTimeoutMs: 1_500,
    });
    running.push({ stop: () => made.close() });
    return made;
  };
  const start = async (service: Service): Promise<void> => {
    running.push(service);
    await service.start();
  };

  it.each(shareOf(['refuse', 'blackhole'] as const, 1))(
    'away (%s): changes go on, and all of them arrive complete and in order afterwards',
    async (fault) => {
      const shared = bus();
      await start(new Service(producer, shared));
      await start(new Service(consumer, shared, [recorder({ batch: true })]));
      const changeAll = (): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ['a', 'b', 'c']));
      await changeAll();
      await eventually(async () => (await effects(consumer)).length === 3);
      kafka!.proxy[fault]();
      for (let i = 0; i < 20; i++) {
        await changeAll();
        await sleep(200);
      }
      expect(await effects(consumer)).toHaveLength(3);
      kafka!.proxy.heal();
      if (fault === 'blackhole') kafka!.proxy.cut();
      await eventually(async () => (await effects(consumer)).length >= 63);
      await sleep(300);
      expect(sequences(await effects(consumer))).toEqual({ a: upTo(21), b: upTo(21), c: upTo(21) });
    },
  );

  it('links that are lost in silence are given up: what is published later arrives', async () => {
    const shared = bus();
    await start(new Service(producer, shared));
    await start(new Service(consumer, shared, [recorder()]));
    await producer.tenant(tenantId, (tx) => change(tx, ['a']));
    await eventually(async () => (await effects(consumer)).length === 1);
    kafka!.proxy.abandon();
    await producer.tenant(tenantId, (tx) => change(tx, ['a', 'a']));
    await eventually(async () => (await effects(consumer)).length === 3);
    expect(sequences(await effects(consumer))).toEqual({ a: upTo(3) });
  });

  it('services start while it is away, say so, and catch up when it is there', async () => {
    kafka!.proxy.refuse();
    const shared = bus();
    const [from, to] = [new Service(producer, shared), new Service(consumer, shared, [recorder()])];
    await Promise.all([start(from), start(to)]);
    await producer.tenant(tenantId, (tx) => change(tx, ['a', 'a']));
    const waiting = ({ messaging }: Service): string[] =>
      messaging
        .stalls()
        .map(({ part }) => part)
        .sort();
    await eventually(() => waiting(from).join() === 'relay' && waiting(to).join() === 'consumer,relay');
    kafka!.proxy.heal();
    await eventually(async () => (await effects(consumer)).length === 2);
    expect(sequences(await effects(consumer))).toEqual({ a: [1, 2] });
    await eventually(() => [...waiting(from), ...waiting(to)].length === 0);
  });

  it.each(shareOf(['refuse', 'blackhole'] as const, 1))(
    'away (%s) from services that run: what waits is known, since when, until it is back',
    async (fault) => {
      const shared = bus();
      const from = new Service(producer, shared);
      const to = new Service(consumer, shared, [recorder()]);
      await start(from);
      await start(to);
      await producer.tenant(tenantId, (tx) => change(tx, ['a']));
      await eventually(async () => (await effects(consumer)).length === 1);
      const began = Date.now();
      kafka!.proxy[fault]();
      // Nothing has to be published or read for that.
      await eventually(() => from.messaging.stalls().length > 0);
      const [stall] = await eventually(() => {
        const found = to.messaging.stalls().filter(({ part }) => part === 'consumer');
        return found.length > 0 && found;
      });
      expect(stall!.since.getTime()).toBeGreaterThan(began - 5_000);
      expect(stall!.error).not.toBe('');
      kafka!.proxy.heal();
      if (fault === 'blackhole') kafka!.proxy.cut();
      await eventually(() => [...from.messaging.stalls(), ...to.messaging.stalls()].length === 0);
    },
  );

  it('away beside the database, which is back first: the member that takes the place of another is the only one', async () => {
    const shared = bus();
    await start(new Service(producer, shared));
    const to = new Service(consumer, shared, [recorder()]);
    await start(to);
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const changeAll = (): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ids));
    await changeAll();
    await eventually(async () => (await effects(consumer)).length === ids.length);
    kafka!.proxy.refuse();
    await eventually(() => to.messaging.stalls().some(({ part }) => part === 'consumer'));
    to.messaging.strategy.compareAgain();
    // kafkajs tries to join again and again, meanwhile.
    await sleep(2_000);
    kafka!.proxy.heal();
    await changeAll();
    await eventually(async () => (await effects(consumer)).length === 2 * ids.length, 'all arrives');
    expect(sequences(await effects(consumer))).toEqual(Object.fromEntries(ids.map((id) => [id, [1, 2]])));
  });

  it('comes back empty: what was not read is published again, applied once and counted', async () => {
    const shared = bus();
    const from = new Service(producer, shared);
    await start(from);
    const to = new Service(consumer.twin(), shared, [recorder()]);
    await to.start();
    const changeAll = (): Promise<void> => producer.tenant(tenantId, (tx) => change(tx, ['a', 'b', 'c']));
    const published = async (): Promise<number | undefined> =>
      (await from.messaging.progress(tenantId)).published[counted.type];
    await changeAll();
    await eventually(async () => (await effects(consumer)).length === 3);
    await to.stop();
    await to.database.close();
    await changeAll();
    await eventually(async () => (await published()) === 6);
    await kafka!.startEmpty();
    await changeAll();
    const after = new Service(consumer, shared, [recorder()]);
    await start(after);
    await eventually(async () => (await effects(consumer)).length >= 9);
    await eventually(
      async () =>
        (await after.messaging.progress(tenantId)).applied['invoicing']?.[counted.type] === (await published()),
    );
    expect(await published()).toBe(9);
    expect(sequences(await effects(consumer))).toEqual({ a: upTo(3), b: upTo(3), c: upTo(3) });
  });

  it.each(shareOf(['between', 'inside'], 1))(
    'a process frozen %s transactions, past its session, has no second effect when it thaws',
    async (where) => {
      execFileSync(process.execPath, ['node_modules/typescript7/bin/tsc', '-b', 'libs/messaging'], { cwd: root });
      const shared = bus();
      await start(new Service(producer, shared));
      const args = [consumer.url, kafka!.broker.brokers.join(','), prefix, counted.type, where];
      const child = fork(join(root, 'libs/messaging/test/consumer-process.mjs'), args, {
        execArgv: [],
        env: { ...process.env, NODE_NO_WARNINGS: '1' },
      });
      running.push({ stop: async () => void (child.kill('SIGCONT'), child.kill('SIGKILL')) });
      const messages: string[] = [];
      child.on('message', (message) => messages.push(String(message)));
      await eventually(() => messages.includes('listening'));
      const n = 40;
      for (let i = 0; i < n; i++) await producer.tenant(tenantId, (tx) => change(tx, ['a']));
      await eventually(() => messages.filter((message) => message === 'began').length >= 3);
      child.kill('SIGSTOP');
      const twin = consumer.twin();
      running.push({ stop: () => twin.close() });
      await start(new Service(twin, bus(), [recorder()]));
      if (where === 'inside') {
        // The frozen one holds the inbox row of the event in hand: nobody can apply that event beside it.
        await sleep(9_000);
        expect((await effects(consumer)).length).toBeLessThan(n);
      } else {
        await eventually(async () => (await effects(consumer)).length === n, 'the take-over');
      }
      child.kill('SIGCONT');
      await eventually(async () => (await effects(consumer)).length >= n, 'all effects');
      await sleep(1_000);
      expect(sequences(await effects(consumer))).toEqual({ a: upTo(n) });
      child.send('stop');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  );
});
