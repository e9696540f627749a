import { expect, it } from '@jest/globals';
import { turnsOfOthers } from '@kontor/testing';
import { eachInTurn, inTurns, LoopTurn } from './loop-turn.js';

it('work that lasts lets others have their turn, and has its result', async () => {
  let others = 0;
  const other = setInterval(() => (others += 1), 1);
  function* work(): Generator<void, string> {
    while (others < 3) yield;
    return 'done';
  }
  expect(await inTurns(work())).toBe('done');
  clearInterval(other);
});

it('of several that last, one piece is done between two turns of the others', async () => {
  const seen: string[] = [];
  let stopped = false;
  const other = (): void => {
    seen.push('other');
    if (!stopped) setImmediate(other);
  };
  setImmediate(other);
  const work = async (name: string): Promise<void> => {
    const turn = new LoopTurn();
    for (let n = 0; n < 4; n++) {
      await turn.pass();
      seen.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  stopped = true;
  const pieces = seen
    .slice(seen.findIndex((name) => name !== 'other'))
    .filter((_, n, all) => n < all.lastIndexOf('c') + 1);
  expect(pieces.filter((name) => name !== 'other').join('')).toBe('abcabcabcabc');
  expect(pieces.some((name, n) => name !== 'other' && pieces[n + 1] !== undefined && pieces[n + 1] !== 'other')).toBe(
    false,
  );
});

it('of work on a list, others have a turn between two items', async () => {
  const done: number[] = [];
  const { turns } = await turnsOfOthers(() => eachInTurn([1, 2, 3, 4], (n) => void done.push(n)));
  expect(done).toEqual([1, 2, 3, 4]);
  expect(turns).toBeGreaterThanOrEqual(3);
});
