import { describe, expect, it } from '@jest/globals';
import { publishedKeys } from './signing-keys.js';

const HOUR = 3_600_000;
const now = new Date('2026-03-01T12:00:00.000Z');
const key = (kid: string, hoursAgo: number) => ({ kid, createdAt: new Date(now.getTime() - hoursAgo * HOUR) });
const order = (...keys: ReturnType<typeof key>[]): string[] => publishedKeys(keys, now).map(({ kid }) => kid);

describe('the keys that are published', () => {
  it('the only key signs, however new it is', () => expect(order(key('a', 0))).toEqual(['a']));
  it('a new key is published, but does not sign for an hour', () =>
    expect(order(key('a', 500), key('b', 0.9))).toEqual(['a', 'b']));
  it('then it signs, and the old one stays for what it signed', () =>
    expect(order(key('a', 500), key('b', 1))).toEqual(['b', 'a']));
  it('the old one goes when nothing that it signed can be valid any more', () => {
    expect(order(key('a', 500), key('b', 2.9))).toEqual(['b', 'a']);
    expect(order(key('a', 500), key('b', 3))).toEqual(['b']);
  });
  it('keys that follow each other quickly are all published', () =>
    expect(order(key('a', 500), key('b', 2), key('c', 0.5), key('d', 0.2))).toEqual(['b', 'd', 'c', 'a']));
  it('without a key there is none', () => expect(order()).toEqual([]));
});
