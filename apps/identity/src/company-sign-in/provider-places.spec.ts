import { describe, expect, it } from '@jest/globals';
import { ProviderPlaces } from './provider-places.js';

describe('who waits for identity providers', () => {
  const never = (): Promise<void> => new Promise(() => undefined);
  const take = (places: ProviderPlaces, tenant: string, times: number): void => {
    for (let n = 0; n < times; n++) places.run(tenant, never).catch(() => undefined);
  };
  const isFree = (places: ProviderPlaces, tenant: string): Promise<boolean> =>
    places.run(tenant, () => Promise.resolve(true)).catch(() => false);

  it('one tenant has eight places, and others have theirs', async () => {
    const places = new ProviderPlaces();
    take(places, 'one', 8);
    expect([await isFree(places, 'one'), await isFree(places, 'other')]).toEqual([false, true]);
  });

  it('all together have 24, so that places are left to who signs in by other means', async () => {
    const places = new ProviderPlaces();
    for (let n = 1; n <= 24; n++) take(places, `tenant ${n}`, 1);
    expect(await isFree(places, 'another')).toBe(false);
  });

  it('however many hang, each of the others has a place while there is one', async () => {
    const places = new ProviderPlaces();
    for (const tenant of ['one', 'two', 'three', 'four']) take(places, tenant, 8);
    for (let n = 1; n <= 4; n++) take(places, `tenant ${n}`, 2);
    expect([await isFree(places, 'three'), await isFree(places, 'another')]).toEqual([false, true]);
  });

  it('a place is free again after an answer, and after a failure', async () => {
    const places = new ProviderPlaces();
    take(places, 'one', 7);
    await expect(places.run('one', () => Promise.reject(new Error('cannot be reached')))).rejects.toThrow('reached');
    expect([await isFree(places, 'one'), await isFree(places, 'one')]).toEqual([true, true]);
  });
});
