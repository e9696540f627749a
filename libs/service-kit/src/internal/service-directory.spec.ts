import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceDirectory } from './service-directory.js';

describe('which replica of a service is asked', () => {
  let directory: ServiceDirectory;
  beforeEach(() => {
    directory = new ServiceDirectory();
    directory.set('billing', 'http://a', 'http://b');
  });
  const picked = (count: number): string[] => Array.from({ length: count }, () => directory.pick('billing'));

  it('each in turn while none is busier than another', () =>
    expect(picked(4)).toEqual(['http://a', 'http://b', 'http://a', 'http://b']));

  it('the one that fewer requests wait for: one that stands still keeps those that it has, and gets no more', () => {
    const end = directory.enter('http://b');
    expect(picked(4)).toEqual(Array(4).fill('http://a'));
    directory.enter('http://a');
    expect(new Set(picked(2))).toEqual(new Set(['http://a', 'http://b']));
    end();
    // Ended once, whoever says so again.
    end();
    expect(picked(4)).toEqual(Array(4).fill('http://b'));
  });

  it('none of a service that nobody named, which shows at the start', () => {
    expect(directory.require(['billing'])).toBe(directory);
    expect(() => directory.require(['billing', 'api-gateway' as 'billing'])).toThrow(
      'API_GATEWAY_URL must be the address',
    );
  });

  it.each(['refused', 'timedOut'] as const)('not the one that %s a moment ago, unless it is the only one', (how) => {
    directory[how]('http://a');
    expect(picked(3)).toEqual(Array(3).fill('http://b'));
    expect(directory.pick('billing', new Set(['http://b']))).toBe('http://a');
    directory[how]('http://b');
    expect(new Set(picked(2))).toEqual(new Set(['http://a', 'http://b']));
  });
});
