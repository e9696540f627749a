import { setImmediate } from 'node:timers/promises';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerEnd, superviseServer } from './supervise-server.js';

describe('supervising a server', () => {
  let running: boolean;
  let canLook: boolean;
  let canStart: boolean;
  let starts: number;
  let reports: ServerEnd[];
  let end: () => Promise<void>;
  let now: number;
  let isExcused: boolean;

  const pass = async (ms: number): Promise<void> => {
    for (let step = 0; step < ms; step += 50) {
      now += 50;
      mock.timers.tick(50);
      await setImmediate();
    }
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    now = 0;
    isExcused = false;
    canLook = true;
    [running, canStart, starts, reports] = [true, true, 0, []];
    end = superviseServer({
      isRunning: () => {
        if (!canLook) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
        return running;
      },
      restart: async () => {
        starts += 1;
        if (!canStart) throw new Error('no');
        running = true;
      },
      onEnd: (report) => reports.push(report),
      isExcused: () => isExcused,
      now: () => now,
    });
  });
  afterEach(async () => {
    await end();
    mock.timers.reset();
  });

  const states = (): string[] => reports.map(({ state }) => state);

  it('restarts one that ended, and reports both', async () => {
    running = false;
    await pass(1_000);
    expect(states()).toEqual(['ended', 'restarted']);
    expect(running).toBe(true);
  });

  it('takes a look that fails for none, and sees an end with the next one', async () => {
    canLook = false;
    await pass(1_000);
    running = false;
    await pass(1_000);
    expect(states()).toEqual([]);
    canLook = true;
    await pass(1_000);
    expect(states()).toEqual(['ended', 'restarted']);
  });

  it('gives up after the third restart within a minute', async () => {
    for (let kill = 1; kill <= 4; kill++) {
      running = false;
      await pass(6_000);
    }
    expect(starts).toBe(3);
    expect(states().at(-1)).toBe('given_up');
  });

  it('never gives up one that has a reason which will pass', async () => {
    [running, canStart, isExcused] = [false, false, true];
    await pass(30_000);
    expect(starts).toBeGreaterThan(4);
    expect(states()).toEqual([]);
    [canStart, isExcused] = [true, false];
    await pass(6_000);
    expect(running).toBe(true);
    expect(states()).toEqual(['restarted']);
  });

  it('counts a restart that fails, with its reason', async () => {
    canStart = false;
    running = false;
    await pass(20_000);
    expect(starts).toBe(3);
    expect(reports.at(-1)).toEqual({ state: 'given_up', error: new Error('no') });
  });

  it('goes on for ever when the ends are far apart', async () => {
    for (let kill = 1; kill <= 10; kill++) {
      running = false;
      await pass(30_000);
    }
    expect(starts).toBe(10);
    expect(states()).not.toContain('given_up');
  });

  it('does nothing after its end', async () => {
    await end();
    running = false;
    await pass(60_000);
    expect(reports).toEqual([]);
  });
});
