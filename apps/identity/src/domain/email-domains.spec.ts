import { describe, expect, it } from '@jest/globals';
import { isReserved, provedAlready } from './email-domains.js';

describe('domains of e-mail addresses', () => {
  it.each([
    ['nordlicht.example', true],
    ['a.b.test', true],
    ['example.com', true],
    ['mail.example.org', true],
    ['nordlicht.de', false],
    ['myexample.com', false],
    ['example.com.evil.net', false],
    ['example.de', false],
  ])('%s is for tests: %p', (domain, expected) => expect(isReserved(domain)).toBe(expected));

  it('count without a look where they did before, and in a sandbox where nobody can own them', () => {
    const domains = ['nordlicht.de', 'suedlicht.de', 'ost.example'];
    const before = ['suedlicht.de', 'left.de'];
    expect(provedAlready(domains, { before, isSandbox: true })).toEqual(['suedlicht.de', 'ost.example']);
    expect(provedAlready(domains, { before, isSandbox: false })).toEqual(['suedlicht.de']);
  });
});
