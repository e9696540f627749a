import { describe, expect, it } from '@jest/globals';
import { AttemptShares, type EndpointShare, MAX_OF_ENDPOINT, MAX_OF_TENANT } from './attempt-shares.js';

const endpointsOf = (shares: AttemptShares, tenantId: string, count: number): EndpointShare[] =>
  Array.from({ length: count }, () => shares.ofEndpoint(tenantId, () => undefined));
const taken = (endpoints: readonly EndpointShare[]): number[] => endpoints.map((endpoint) => endpoint.take());
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

describe('shares of attempts in flight', () => {
  it('are sixteen for an endpoint, and beside one for each endpoint 64 for a tenant', () => {
    const shares = new AttemptShares();
    const endpoints = endpointsOf(shares, 'a', 20);
    const counts = taken(endpoints);
    expect(counts.slice(0, 4)).toEqual(Array(4).fill(MAX_OF_ENDPOINT));
    expect(counts.slice(5)).toEqual(Array(15).fill(1));
    expect(sum(counts)).toBe(MAX_OF_TENANT + 20);
    expect(taken(endpointsOf(shares, 'b', 1))).toEqual([MAX_OF_ENDPOINT]);
  });

  it('of those who take all they can leave room for whoever comes next', () => {
    const shares = new AttemptShares(100);
    const greedy = ['a', 'b', 'c', 'd'].map((tenantId) => sum(taken(endpointsOf(shares, tenantId, 10))));
    expect(sum(greedy)).toBeLessThan(100);
    expect(taken(endpointsOf(shares, 'e', 1))[0]).toBeGreaterThan(0);
  });

  it('become free when attempts end, and whoever waits for one hears of it once', () => {
    const shares = new AttemptShares(3);
    let notified = 0;
    const [first] = endpointsOf(shares, 'a', 1);
    const second = shares.ofEndpoint('a', () => notified++);
    expect(first!.take()).toBe(2);
    expect(second.take()).toBe(0);
    second.awaitRoom();
    first!.release(1);
    first!.close();
    expect(notified).toBe(1);
    expect(second.take()).toBe(2);
    second.close();
    expect(sum(taken(endpointsOf(shares, 'b', 1)))).toBe(2);
  });
});
