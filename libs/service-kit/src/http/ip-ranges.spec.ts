import { describe, expect, it } from '@jest/globals';
import { ipMatcher, isIpRange, rangesWithin } from './ip-ranges.js';

describe('ranges of addresses', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::/0'])('%s is one', (text) =>
    expect(isIpRange(text)).toBe(true),
  );
  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.0/33',
    '203.0.113.0/',
    '1.2.3.4/8/8',
    '::/129',
    '1.2.3.4/-1',
    7,
    null,
  ])('%j is none', (text) => expect(isIpRange(text)).toBe(false));
  it.each([
    ['203.0.113.200', ['203.0.113.0/24'], true],
    ['203.0.114.1', ['203.0.113.0/24'], false],
    ['::ffff:203.0.113.200', ['203.0.113.0/24'], true],
    ['203.0.113.7', ['198.51.100.1', '203.0.113.7'], true],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['no address', ['0.0.0.0/0'], false],
  ] as const)('%s in %j: %s', (address, ranges, expected) => expect(ipMatcher(ranges)(address)).toBe(expected));
  it.each([
    [['203.0.113.7'], ['203.0.113.0/24'], true],
    [['203.0.113.0/24'], ['203.0.113.7'], false],
    [['203.0.113.77/24'], ['203.0.113.0/24'], true],
    [['203.0.113.0/24'], ['203.0.113.128/25', '203.0.113.0/25'], true],
    [['203.0.113.0/24'], ['203.0.113.0/25', '203.0.113.192/26'], false],
    [['203.0.113.7', '198.51.100.1'], ['203.0.113.0/24'], false],
    [['::ffff:203.0.113.0/120'], ['203.0.113.0/24'], true],
    [['0.0.0.0/0'], ['::/0'], true],
    [['::/0'], ['0.0.0.0/0'], false],
    [['2001:db8::5'], ['2001:db8::/32'], true],
    [['2001:db8::/31'], ['2001:db8::/32'], false],
    [['1:2:3:4:5:6:7:8'], ['1:2:3:4:5:6:7:0/112'], true],
    [['fe80::1%eth0'], ['fe80::/10'], false],
    [[], ['203.0.113.7'], true],
    [['203.0.113.7'], [], false],
  ] as const)('%j within %j: %s', (ranges, others, expected) => expect(rangesWithin(ranges, others)).toBe(expected));
});
