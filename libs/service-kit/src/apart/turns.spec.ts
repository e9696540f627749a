import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  it('are taken by owner, whoever asked for how much before', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) turns.add(item[0]!, item);
    const taken = [turns.next()?.item, turns.next()?.item];
    // Who comes back waits behind those who are there.
    turns.add('d', 'd1');
    for (let next; (next = turns.next());) taken.push(next.item);
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3', 'a4']);
    expect(turns.isEmpty).toBe(true);
  });

  it('pass over who may have none', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'b1']) turns.add(item[0]!, item);
    expect(turns.next((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 'b1' });
    expect(turns.next((owner) => owner !== 'a')).toBeUndefined();
    expect(turns.next()).toEqual({ owner: 'a', item: 'a1' });
  });

  it('come first of who has spent less', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'b1', 'c1', 'c2', 'd1']) turns.add(item[0]!, item);
    const spent = (owner: string): number => ({ a: 2, b: 2, d: 1 })[owner] ?? 0;
    const next = (): string | undefined =>
      turns.next((owner) => owner !== 'd' || turns.of('c').length === 0, spent)?.item;
    expect([next(), next(), next(), next(), next(), next()]).toEqual(['c1', 'c2', 'd1', 'a1', 'b1', undefined]);
  });

  it('are given up by what goes away', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'a2', 'b1']) turns.add(item[0]!, item);
    expect([turns.remove('a', 'a1'), turns.remove('a', 'a1'), turns.remove('b', 'b1')]).toEqual([true, false, true]);
    expect([turns.of('a'), turns.of('b'), turns.all]).toEqual([['a2'], [], ['a2']]);
    expect(turns.next()?.item).toBe('a2');
    expect(turns.isEmpty).toBe(true);
  });
});
