import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionGate } from './connection-gate.js';
import type { RequestTurn } from './request-scope.js';

const request = (begun = false, tenantId?: string): RequestTurn => ({
  arrivedAt: performance.now(),
  begun,
  ...(tenantId ? { tenantId } : {}),
});

/** Lets time pass, and everybody see it. */
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await new Promise(setImmediate);
}

describe('whose turn it is for a connection', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-01') }));
  afterEach(() => mock.timers.reset());

  /** A gate of one place, which is taken. */
  async function busyGate() {
    const gate = new ConnectionGate(1);
    const places = [await gate.enter(undefined)];
    const entered: string[] = [];
    const enter = (name: string, turn?: RequestTurn): Promise<void> =>
      gate.enter(turn).then(
        (place) => {
          entered.push(name);
          places.push(place);
        },
        (error: Error & { reason?: string }) => void entered.push(`${name}: ${error.reason ?? 'fault'}`),
      );
    const leave = async (): Promise<void> => {
      places.shift()?.();
      await pass(0);
    };
    return { entered, enter, leave };
  }

  it('whoever has begun goes first, then in order of arrival', async () => {
    const { entered, enter, leave } = await busyGate();
    const turn = request();
    void enter('first', turn);
    void enter('work');
    void enter('begun', request(true));
    for (let n = 0; n < 3; n++) await leave();
    expect(entered).toEqual(['begun', 'first', 'work']);
    expect(turn.begun).toBe(true);
  });

  it('those that have not begun go by tenants in turn, whoever asked for how much', async () => {
    const { entered, enter, leave } = await busyGate();
    for (const tenant of ['greedy', 'greedy', 'greedy', 'greedy', 'modest', 'rare', 'modest'])
      void enter(tenant, request(false, tenant));
    void enter('begun', request(true, 'greedy'));
    for (let n = 0; n < 8; n++) await leave();
    expect(entered).toEqual(['begun', 'greedy', 'modest', 'rare', 'greedy', 'modest', 'greedy', 'greedy']);
  });

  it("work goes in turn with its own tenant's requests, and not before them", async () => {
    const { entered, enter, leave } = await busyGate();
    for (let n = 0; n < 3; n++) void enter('work');
    void enter('request', request(false, ''));
    for (let n = 0; n < 4; n++) await leave();
    expect(entered).toEqual(['work', 'request', 'work', 'work']);
  });

  it('one place is never taken by work', async () => {
    const gate = new ConnectionGate(3);
    const work = [await gate.enter(undefined), await gate.enter(undefined)];
    let isLate = true;
    void gate.enter(undefined, 'late').then(() => (isLate = false));
    // Whoever comes first, work that waits does not hold a request up.
    for (let n = 0; n < 3; n++) (await gate.enter(request()))();
    expect(isLate).toBe(true);
    work[0]!();
    await pass(0);
    expect(isLate).toBe(false);
  });

  it('who gave up takes no turn, and leaves the others in theirs', async () => {
    const { entered, enter, leave } = await busyGate();
    void enter('greedy', request(false, 'greedy'));
    await pass(2_000);
    void enter('modest', request(false, 'modest'));
    await pass(1_001);
    void enter('greedy again', request(false, 'greedy'));
    for (let n = 0; n < 2; n++) await leave();
    expect(entered).toEqual(['greedy: service_overloaded', 'modest', 'greedy again']);
  });

  it('who has begun long ago waits among the others', async () => {
    const { entered, enter, leave } = await busyGate();
    void enter('first', request());
    void enter('import', { arrivedAt: performance.now() - 60_000, begun: true });
    for (let n = 0; n < 2; n++) await leave();
    expect(entered).toEqual(['first', 'import']);
  });

  it('a request is refused three seconds after its arrival, what cannot be refused later', async () => {
    const { entered, enter, leave } = await busyGate();
    void enter('early', { arrivedAt: performance.now() - 500, begun: false });
    void enter('upload', { arrivedAt: performance.now() - 60_000, begun: false });
    void enter('work');
    await pass(999);
    expect(entered).toEqual([]);
    await pass(1501);
    expect(entered).toEqual(['upload: service_overloaded', 'early: service_overloaded']);
    await pass(7500);
    expect(entered.at(-1)).toBe('work: fault');
    // Nobody waits any more: the place is free.
    await leave();
    void enter('late', request());
    await pass(0);
    expect(entered.at(-1)).toBe('late');
  });
});
