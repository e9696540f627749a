import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

describe('a bulkhead', () => {
  it('runs so many at a time, lets so many wait, and refuses the rest', async () => {
    const bulkhead = new Bulkhead({ running: 2, waiting: 3 });
    const release: (() => void)[] = [];
    let peak = 0;
    let running = 0;
    const work = async (): Promise<string> => {
      peak = Math.max(peak, ++running);
      await new Promise<void>((resolve) => release.push(resolve));
      running -= 1;
      return 'done';
    };
    const outcomes = Array.from({ length: 7 }, () =>
      bulkhead.run(work).catch((error: { reason: string }) => error.reason),
    );
    for (let done = 0; done < 5; done++) {
      while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
      release.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(outcomes)).toEqual([...Array(5).fill('done'), 'service_overloaded', 'service_overloaded']);
    expect(peak).toBe(2);
  });

  it('a failure frees its place', async () => {
    const bulkhead = new Bulkhead({ running: 1, waiting: 0 });
    await expect(bulkhead.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await bulkhead.run(async () => 'yes')).toBe('yes');
  });
});

describe('a bulkhead of several owners', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  const limitOf = (running: number | { current: number }): number =>
    typeof running === 'number' ? running : running.current;

  /** Places are taken by hand, in an order that the test sees. */
  class Watched {
    now = 0;
    readonly order: string[] = [];
    /** When those asked who were served, in the order in which they were. */
    readonly askedAt: number[] = [];
    readonly refused: string[] = [];
    private readonly leaves: (() => void)[] = [];
    readonly bulkhead: Bulkhead;

    constructor(running: number | { current: number }, waiting: number, ofOwner = limitOf(running), modest = 0) {
      this.bulkhead = new Bulkhead({
        running,
        waiting,
        ownersShare: ofOwner / limitOf(running),
        modest,
        burstMs: 1_000,
        now: () => this.now,
      });
    }

    async ask(owner: string, count = 1): Promise<void> {
      const at = this.now;
      for (let n = 0; n < count; n++)
        void this.bulkhead.enter(owner).then(
          (leave) => {
            this.order.push(owner);
            this.askedAt.push(at);
            this.leaves.push(leave);
          },
          () => void this.refused.push(owner),
        );
      await settle();
    }

    async finish(count = 1): Promise<void> {
      for (let n = 0; n < count; n++) {
        this.leaves.shift()!();
        await settle();
      }
    }
  }

  it('serves them in turn, whoever asked for how much', async () => {
    const watched = new Watched(1, 100);
    await watched.ask('greedy', 50);
    await watched.ask('modest', 3);
    await watched.ask('rare', 1);
    await watched.finish(9);
    expect(watched.order).toEqual([
      ...['greedy', 'greedy', 'modest', 'rare', 'greedy', 'modest', 'greedy', 'modest', 'greedy', 'greedy'],
    ]);
  });

  it('lets each of them wait with so many, so that one cannot take the room of others', async () => {
    const watched = new Watched(1, 2);
    await watched.ask('greedy', 10);
    await watched.ask('modest', 2);
    expect(watched.refused).toEqual(Array(7).fill('greedy'));
    await watched.finish(4);
    expect(watched.order).toEqual(['greedy', 'greedy', 'modest', 'greedy', 'modest']);
  });

  it('with a limit for all, who has the most waiting makes room for others', async () => {
    const bulkhead = new Bulkhead({ running: 1, waiting: 4, waitingInAll: 4 });
    const release: (() => void)[] = [];
    const done: string[] = [];
    const ask = async (owner: string): Promise<void> => {
      try {
        await bulkhead.run(() => new Promise<void>((resolve) => release.push(resolve)), owner);
        done.push(owner);
      } catch (error) {
        done.push(`${owner} ${(error as { reason: string }).reason}`);
      }
    };
    const all = ['flood', 'flood', 'flood', 'flood', 'flood', 'flood'].map(ask);
    await settle();
    expect(done).toEqual(['flood service_overloaded']);
    all.push(...['a', 'b', 'a', 'c'].map(ask));
    await settle();
    // Three of the flood gave way; what would have made one of the others as many as the flood has left did not come in.
    expect(done.slice(1).sort()).toEqual(['a service_overloaded', ...Array(3).fill('flood service_overloaded')].sort());
    for (let n = 0; n < 5; n++, await settle()) release.shift()!();
    await Promise.all(all);
    expect(done.slice(5)).toEqual(['flood', 'flood', 'a', 'b', 'c']);
  });

  it('a burst waits for seconds; where there is always somebody waiting, nobody waits long', async () => {
    const watched = new Watched(1, 100);
    await watched.ask('a', 3);
    watched.now = 900;
    await watched.finish();
    expect([watched.order.length, watched.refused.length]).toEqual([2, 0]);
    watched.now = 1_050;
    await watched.ask('b', 1);
    await watched.finish();
    expect([watched.order, watched.refused]).toEqual([['a', 'a', 'b'], ['a']]);
    watched.now = 9_000;
    await watched.ask('a', 2);
    watched.now = 9_900;
    await watched.finish();
    expect(watched.order.length).toBe(4);
  });

  it('is no new burst where all who waited have been refused', async () => {
    const watched = new Watched(1, 100);
    await watched.ask('a', 3);
    watched.now = 1_050;
    watched.bulkhead.refuseLate();
    await settle();
    expect(watched.refused).toHaveLength(2);
    watched.now = 1_100;
    await watched.ask('a', 1);
    watched.now = 1_201;
    watched.bulkhead.refuseLate();
    await settle();
    expect(watched.refused).toHaveLength(3);
    watched.now = 2_300;
    await watched.ask('a', 1);
    watched.now = 3_200;
    watched.bulkhead.refuseLate();
    await settle();
    expect(watched.refused).toHaveLength(3);
  });

  it('answers the newest of an owner first where the oldest is late already, so that most are answered soon', async () => {
    const watched = new Watched(1, 100);
    for (const at of [0, 50, 90, 100]) {
      watched.now = at;
      await watched.ask('a', 1);
    }
    await watched.finish();
    watched.now = 195;
    await watched.finish();
    await watched.finish();
    expect(watched.askedAt).toEqual([0, 50, 100, 90]);
  });

  it('answers the newest of an owner first where it is no burst, and refuses the others', async () => {
    const watched = new Watched(1, 100);
    for (const at of [0, 10, 970, 990, 1_010]) {
      watched.now = at;
      await watched.ask('a', 1);
    }
    watched.now = 1_020;
    await watched.finish(3);
    expect([watched.askedAt, watched.refused]).toEqual([[0, 1_010, 990, 970], ['a']]);
  });

  it('refuses who waits too long also where no place becomes free', async () => {
    const watched = new Watched(1, 100);
    await watched.ask('a', 2);
    watched.now = 5_001;
    watched.bulkhead.refuseLate();
    await settle();
    expect(watched.refused).toEqual(['a']);
  });

  it('leaves room to others, however slow one of them is', async () => {
    const watched = new Watched(4, 100, 3);
    await watched.ask('slow', 10);
    await watched.ask('other', 2);
    expect(watched.order).toEqual(['slow', 'slow', 'slow', 'other']);
    await watched.finish(2);
    expect(watched.order.slice(4)).toEqual(['slow', 'other']);
  });

  it('follows a limit that changes', async () => {
    const limit = { current: 4 };
    const watched = new Watched(limit, 100);
    await watched.ask('a', 10);
    expect(watched.order).toHaveLength(4);
    limit.current = 2;
    await watched.finish(2);
    expect(watched.order).toHaveLength(4);
    await watched.finish();
    expect(watched.order).toHaveLength(5);
    limit.current = 4;
    await watched.finish();
    expect(watched.order).toHaveLength(8);
  });

  it('who has few under way is not refused for a short wait, and served in order', async () => {
    const watched = new Watched(1, 100, 1, 4);
    await watched.ask('modest', 4);
    watched.now = 2_000;
    await watched.ask('modest', 2);
    await watched.finish();
    // One too many: the oldest is refused, the others wait on.
    expect(watched.refused).toEqual(['modest']);
    watched.now = 4_000;
    await watched.finish(3);
    expect([watched.askedAt, watched.refused]).toEqual([[0, 0, 0, 2_000, 2_000], ['modest']]);
  });

  it('over random orders: never more run than may, and nobody is forgotten', async () => {
    for (let seed = 1; seed <= 50; seed++) {
      let state = seed;
      const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
      const running = 1 + random(4);
      const watched = new Watched(running, 1_000);
      const asked = new Map<string, number>();
      let left = 0;
      for (let step = 0; step < 60; step++) {
        const owner = `owner ${random(4)}`;
        if (random(2) === 0) {
          await watched.ask(owner);
          asked.set(owner, (asked.get(owner) ?? 0) + 1);
        } else if (watched.order.length > left) {
          await watched.finish();
          left += 1;
        }
        expect(watched.order.length - left).toBeLessThanOrEqual(running);
      }
      while (left < watched.order.length) {
        await watched.finish();
        left += 1;
      }
      expect(watched.refused).toEqual([]);
      for (const [owner, count] of asked) expect(watched.order.filter((name) => name === owner)).toHaveLength(count);
    }
  });
});
