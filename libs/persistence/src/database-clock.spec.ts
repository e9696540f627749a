import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseClock } from './database-clock.js';

const MACHINE = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTES = 60_000;

describe("the database's time by the machine's clock", () => {
  let said: number[];
  let clock: DatabaseClock;
  /** The database's answer comes after so long, and says a time so far ahead of the machine's middle between. */
  const answer = (aheadMs: number, tookMs = 10): void =>
    clock.notice(new Date(MACHINE + aheadMs), MACHINE - tookMs / 2, MACHINE + tookMs / 2);
  const ahead = (): number => clock.timeOf(new Date(MACHINE)).getTime() - MACHINE;

  beforeEach(() => {
    said = [];
    clock = new DatabaseClock((seconds) => void said.push(seconds));
  });

  it("is the machine's while no answer contradicts", () => {
    answer(0);
    answer(4);
    answer(-900, 2_000);
    expect(ahead()).toBe(0);
    expect(said).toEqual([]);
  });

  it.each([5 * MINUTES, -5 * MINUTES])('differs by what is certain: %d ms', (difference) => {
    answer(difference);
    expect(Math.abs(ahead() - difference)).toBeLessThanOrEqual(6);
    expect(said).toEqual([difference / 1000]);
  });

  it('keeps what it knows when an answer takes long, and forgets it when the clock was set right', () => {
    answer(5 * MINUTES);
    const known = ahead();
    answer(5 * MINUTES - 20_000, 60_000);
    expect(ahead()).toBe(known);
    expect(said).toEqual([300]);
    answer(0);
    expect(Math.abs(ahead())).toBeLessThanOrEqual(6);
    expect(said).toEqual([300, 0]);
  });
});
