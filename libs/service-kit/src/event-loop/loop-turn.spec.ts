import { expect, it } from '@jest/globals';
import { inTurns } from './loop-turn.js';

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
