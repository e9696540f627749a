import { describe, expect, it } from '@jest/globals';
import { guardedLookup } from './guarded-lookup.js';

describe('looking up a receiver', () => {
  it('a name that resolves to this machine is refused when it is looked up', async () => {
    const resolve = (reach: 'public' | 'sandbox'): Promise<unknown> =>
      new Promise((done) => guardedLookup(reach)('localhost', { all: true }, (error, found) => done(error ?? found)));
    expect(await resolve('public')).toMatchObject({ name: 'AddressRefused' });
    expect(await resolve('sandbox')).toEqual(
      expect.arrayContaining([expect.objectContaining({ address: expect.stringMatching(/^(127\.|::1)/) })]),
    );
  });
});
