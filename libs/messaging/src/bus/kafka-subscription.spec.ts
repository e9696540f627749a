import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import type { Kafka } from 'kafkajs';
import type { Subscription } from './bus-port.js';
import { KafkaSubscription } from './kafka-subscription.js';

/** Consumers that join when `joins` says so. The others wait, as kafkajs does for a broker that ended, also when they are to leave. */
class Consumers {
  made = 0;
  readonly joined: number[] = [];
  private readonly beats = new Set<NodeJS.Timeout>();

  constructor(private readonly joins: (n: number) => boolean) {}

  readonly kafka = { consumer: () => this.consumer(++this.made) } as unknown as Kafka;

  end(): void {
    for (const beat of this.beats) clearInterval(beat);
  }

  private consumer(n: number): object {
    const listeners = new Map<string, () => void>();
    const never = new Promise<void>(() => undefined);
    const isAlive = this.joins(n);
    return {
      events: { HEARTBEAT: 'beat', GROUP_JOIN: 'join', CRASH: 'crash' },
      on: (event: string, listener: () => void) => listeners.set(event, listener),
      connect: async () => undefined,
      subscribe: async () => undefined,
      run: async () => {
        if (!isAlive) return never;
        this.joined.push(n);
        this.beats.add(setInterval(() => listeners.get('beat')!(), 5));
        return undefined;
      },
      disconnect: async () => (isAlive ? undefined : never),
    };
  }
}

const open = (consumers: Consumers, committed: () => Promise<ReadonlyMap<string, bigint>>): KafkaSubscription =>
  new KafkaSubscription(
    consumers.kafka,
    {
      group: 'notes',
      topics: [],
      offsets: { positions: async () => new Map() },
      compared: () => undefined,
    } as unknown as Subscription,
    {
      concurrency: 1,
      sessionTimeoutMs: 10_000,
      heartbeatMs: 1_000,
      prefix: '',
      logger: { warn: () => undefined, error: () => undefined, info: () => undefined } as never,
      remakeTopics: async () => undefined,
      committed,
      firsts: async () => new Map(),
      lookMs: 20,
    },
  );

describe('a member of which nothing is heard', () => {
  it('is made anew, and stays once it is heard', async () => {
    const consumers = new Consumers((n) => n > 1);
    const subscription = open(consumers, async () => new Map());
    void subscription.start();
    await eventually(() => consumers.joined.length > 0, 'another member joins');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(consumers.joined).toEqual([2]);
    await subscription.stop();
    consumers.end();
  });

  it('is made anew where the brokers do not even say how far the group is', async () => {
    const consumers = new Consumers(() => true);
    let asked = 0;
    const subscription = open(consumers, () =>
      ++asked === 1 ? new Promise(() => undefined) : Promise.resolve(new Map()),
    );
    void subscription.start();
    await eventually(() => consumers.joined.length > 0, 'another member joins');
    expect(consumers.joined).toEqual([2]);
    await subscription.stop();
    consumers.end();
  });
});
