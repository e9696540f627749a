import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  it('are taken by owner, whoever asked for how much before', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) turns.add(item[0]!, item);
    const taken = [turns.next(), turns.next()];
    // Who comes back waits behind those who are there.
    turns.add('d', 'd1');
    for (let item; (item = turns.next()) !== undefined;) taken.push(item);
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3', 'a4']);
    expect(turns.isEmpty).toBe(true);
  });
});
