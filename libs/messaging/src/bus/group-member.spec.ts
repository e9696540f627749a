import { createServer, type Server, type AddressInfo, type Socket } from 'node:net';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import type { ConsumerConfig, EachBatchPayload, ISocketFactory, Kafka } from 'kafkajs';
import { silentLogger } from '../ports.js';
import { GroupMember } from './group-member.js';

type EachBatch = (payload: EachBatchPayload) => Promise<void>;

/** Consumers that join when `joins` says so. The others wait, as kafkajs does for a broker that ended, also when they are to leave. */
class Consumers {
  made = 0;
  readonly configs: ConsumerConfig[] = [];
  readonly joined: number[] = [];
  /** By the order in which they joined. */
  readonly batches: EachBatch[] = [];
  readonly crashes: ((payload: object) => void)[] = [];
  /** By the order in which they were made. */
  readonly connections: ISocketFactory[] = [];
  private readonly beats = new Set<NodeJS.Timeout>();

  constructor(private readonly joins: (n: number) => boolean) {}

  readonly clientWith = (connections: ISocketFactory): Kafka => {
    this.connections.push(connections);
    const consumer = (config: ConsumerConfig): object => {
      this.configs.push(config);
      return this.consumer(++this.made);
    };
    return { consumer } as unknown as Kafka;
  };

  end(): void {
    for (const beat of this.beats) clearInterval(beat);
  }

  private consumer(n: number): object {
    const listeners = new Map<string, (event?: object) => void>();
    const never = new Promise<void>(() => undefined);
    const isAlive = this.joins(n);
    return {
      events: { HEARTBEAT: 'beat', GROUP_JOIN: 'join', CRASH: 'crash' },
      on: (event: string, listener: () => void) => listeners.set(event, listener),
      connect: async () => undefined,
      subscribe: async () => undefined,
      run: async ({ eachBatch }: { eachBatch: EachBatch }) => {
        if (!isAlive) return never;
        this.joined.push(n);
        this.batches.push(eachBatch);
        this.crashes.push((payload) => listeners.get('crash')!({ payload }));
        this.beats.add(setInterval(() => listeners.get('beat')!(), 5));
        return undefined;
      },
      disconnect: async () => (isAlive ? undefined : never),
    };
  }
}

interface Member {
  readonly member: GroupMember;
  readonly read: number[];
  /** How often the topics were made again. */
  remade: number;
}

function memberOf(consumers: Consumers, beforeJoining = async (): Promise<void> => undefined): Member {
  const read: number[] = [];
  const made = { read, remade: 0 };
  const member = new GroupMember(consumers.clientWith, {
    consumer: { groupId: 'notes' },
    topics: ['note'],
    concurrency: 1,
    logger: silentLogger,
    beforeJoining,
    joined: () => undefined,
    eachBatch: async (payload) => void read.push(payload as unknown as number),
    remakeTopics: async () => void made.remade++,
  });
  return Object.assign(made, { member });
}

const unknownTopic = Object.assign(new Error('no such topic'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });

describe('a member of a group', () => {
  it('keeps its partitions from others for ten seconds when it is dead, also where nothing is said of that', async () => {
    const consumers = new Consumers(() => true);
    const { member } = memberOf(consumers);
    await member.start();
    expect(consumers.configs).toMatchObject([{ sessionTimeout: 10_000, heartbeatInterval: 3_000 }]);
    await member.stop();
    consumers.end();
  });

  describe('of which nothing is heard', () => {
    const MINUTE_MS = 60_000;
    // Its time passes by hand: on a busy machine a member that lives would be silent, too.
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }));
    afterEach(() => mock.timers.reset());
    const passed = async (ms: number): Promise<void> => {
      for (let at = 0; at < ms; at += 1_000) {
        mock.timers.tick(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };

    it('is made anew, and stays once it is heard', async () => {
      const consumers = new Consumers((n) => n > 1);
      const { member } = memberOf(consumers);
      void member.start();
      await passed(30_000);
      expect(consumers.made).toBe(1);
      await passed(10 * MINUTE_MS);
      expect([consumers.made, consumers.joined]).toEqual([2, [2]]);
      await member.stop();
      consumers.end();
    });

    it('is made anew where the brokers do not even say how far the group is', async () => {
      const consumers = new Consumers(() => true);
      let asked = 0;
      const { member } = memberOf(consumers, () =>
        ++asked === 1 ? new Promise<void>(() => undefined) : Promise.resolve(),
      );
      void member.start();
      await passed(MINUTE_MS);
      expect([consumers.made, consumers.joined]).toEqual([2, [2]]);
      await member.stop();
      consumers.end();
    });
  });

  it('is replaced once where kafkajs gives it up, and what it still reads does not count', async () => {
    const consumers = new Consumers(() => true);
    const { member, read } = memberOf(consumers);
    await member.start();
    await consumers.batches[0]!(1 as never);
    for (const restart of [true, false, false]) consumers.crashes[0]!({ error: new Error('gone'), restart });
    expect(member.watch.stall()?.error).toContain('gone');
    member.joinAnew();
    await eventually(() => consumers.joined.length > 1, 'another one joins');
    await consumers.batches[0]!(2 as never);
    await consumers.batches[1]!(3 as never);
    expect([read, consumers.joined]).toEqual([
      [1, 3],
      [1, 2],
    ]);
    await eventually(() => !member.watch.stall()!.error.includes('gone'), 'it is heard');
    await member.stop();
    consumers.end();
  });

  it('has no connection any more when it was given up, and does not begin anew', async () => {
    const broker: Server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((listening) => broker.listen(0, '127.0.0.1', listening));
    const { port } = broker.address() as AddressInfo;
    const consumers = new Consumers(() => true);
    const { member } = memberOf(consumers);
    await member.start();
    const connect = (n: number): Socket =>
      consumers.connections[n]!({ host: '127.0.0.1', port, onConnect: () => undefined, ssl: undefined as never });
    const restarts = (n: number): Promise<boolean> => consumers.configs[n]!.retry!.restartOnFailure!(new Error('gone'));
    const [open, restart] = [connect(0), await restarts(0)];
    member.joinAnew();
    expect([restart, await restarts(0)]).toEqual([true, false]);
    await eventually(() => consumers.joined.length > 1, 'another one joins');
    expect([open.destroyed, await restarts(0), await restarts(1)]).toEqual([true, false, true]);
    expect(() => connect(0)).toThrow('given up');
    const last = connect(1);
    await member.stop();
    expect(last.destroyed).toBe(true);
    broker.close();
    consumers.end();
  });

  it('has a topic that is missing made again', async () => {
    const consumers = new Consumers(() => true);
    let asked = 0;
    const topics = memberOf(consumers, async () => {
      if (++asked === 1) throw new Error('cannot join', { cause: unknownTopic });
    });
    await topics.member.start();
    expect(topics.remade).toBe(1);
    await eventually(() => consumers.joined.length > 0, 'it joins then');
    consumers.crashes[0]!({ error: unknownTopic, restart: true });
    expect(topics.remade).toBe(2);
    await topics.member.stop();
    consumers.end();
  });

  it('that is stopped is not made anew', async () => {
    const consumers = new Consumers(() => true);
    const { member } = memberOf(consumers);
    await member.start();
    await member.stop();
    member.joinAnew();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(consumers.made).toBe(1);
    consumers.end();
  });
});
