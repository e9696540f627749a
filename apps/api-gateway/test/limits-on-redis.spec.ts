import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { createLog, newBearerSecret } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually, redisFixture } from '@kontor/testing';
import { Redis } from 'ioredis';
import { type RunningGateway, startGateway } from '../src/index.js';
import { RateLimit } from '../src/limits/rate-limit.js';
import { FakeServices, SECRET } from './fake-services.js';

const redis = await redisFixture();
const LIVE = 12;

/** Redis is emptied or gone; limits still hold. @see docs/rules/safety.md#redis-away */
(redis ? describe : describe.skip)('limits that gateways share on Redis', () => {
  let fakes: FakeServices;
  const gateways: RunningGateway[] = [];
  let turn = 0;

  beforeAll(async () => {
    fakes = await FakeServices.start();
    const rateLimits = {
      live: LIVE,
      liveUsage: 100,
      sandbox: 100,
      sandboxUsage: 100,
      anonymous: 100,
      logins: 100,
      signIns: 100,
      orders: 100,
      callbacks: 100,
    };
    for (let n = 0; n < 2; n++) {
      const gateway = await startGateway({
        host: '127.0.0.1',
        port: 0,
        services: fakes.directory,
        internalSecret: SECRET,
        redisUrl: redis!.url,
        rateLimits,
        logLevel: 'silent',
      });
      await gateway.ready();
      gateways.push(gateway);
    }
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await fakes.stop();
    await redis!.stop();
  });

  const aToken = (): string => {
    const token = newBearerSecret('api_');
    fakes.known.set(token, { principal: apiKeyPrincipal(newUuid()), mode: 'live' });
    return token;
  };
  /** How many of `count` requests, spread over both gateways, were let through. */
  async function passed(token: string, count: number): Promise<number> {
    let through = 0;
    for (let n = 0; n < count; n++) {
      const { status } = await fetch(`${gateways[turn++ % 2]!.url}/customers`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([200, 429]).toContain(status);
      if (status === 200) through++;
    }
    return through;
  }

  // Where Redis does not answer within 200 ms, or a gateway has not reached it yet, that gateway counts by itself: then it is tried again.
  it('count over all of them', () =>
    eventually(async () => (await passed(aToken(), LIVE + 5)) === LIVE, 'a minute that all count together'));

  it('begin again when Redis is emptied, and hold', async () => {
    const client = new Redis(redis!.url);
    await eventually(async () => {
      const token = aToken();
      expect(await passed(token, 6)).toBe(6);
      await client.flushall();
      return (await passed(token, LIVE + 5)) === LIVE;
    }, 'a minute that begins again');
    await client.quit();
  });

  it('leave nothing behind: every key ends by itself, also of an attempt that is returned after its minute', async () => {
    const client = new Redis(redis!.url);
    await client.flushall();
    await passed(aToken(), 3);
    for (const path of ['/public/users/sign-in', '/nowhere', '/api/usage-events'])
      await fetch(gateways[0]!.url + path, { method: 'POST', headers: { authorization: 'Bearer api_unknown_token' } });
    const limits = new RateLimit(
      { redisUrl: redis!.url, rateLimits: { anonymous: 1_000_000 } } as never,
      createLog('limits', 'silent'),
    );
    const counters = (): Promise<string[]> => client.keys('*192.0.2.1*');
    await eventually(async () => {
      await limits.takeAttempt('192.0.2.1');
      return (await counters()).length > 0;
    }, 'an attempt that is counted on Redis');
    await client.del(...(await counters()));
    await limits.returnAttempt('192.0.2.1');
    expect(await counters()).toHaveLength(1);
    limits.onModuleDestroy();
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThanOrEqual(4);
    const ends = await Promise.all(keys.map((key) => client.ttl(key)));
    await client.quit();
    expect(ends.filter((seconds) => seconds < 0)).toEqual([]);
  });

  it('hold by each gateway itself when Redis is full, which is in the log once a minute', async () => {
    if (process.env['REDIS_URL']) return;
    const client = new Redis(redis!.url);
    const said: string[] = [];
    const limits = new RateLimit(
      { redisUrl: redis!.url, rateLimits: { anonymous: 2 } } as never,
      { warn: (_fields: object, message: string) => void said.push(message), info: () => undefined } as never,
    );
    await eventually(() => (limits as unknown as { redis: Redis }).redis.status === 'ready', 'a connection');
    await client.config('SET', 'maxmemory', '1');
    try {
      for (let n = 0; n < 2; n++) await limits.takeAttempt('192.0.2.7');
      await expect(limits.takeAttempt('192.0.2.7')).rejects.toMatchObject({ reason: 'rate_limited' });
    } finally {
      await client.config('SET', 'maxmemory', '0');
      await client.quit();
      limits.onModuleDestroy();
    }
    expect(said).toEqual([expect.stringMatching(/^Redis does not count/)]);
  });

  it('hold by each gateway itself when Redis is gone, and nothing else happens', async () => {
    if (process.env['REDIS_URL']) return;
    await redis!.stop();
    const token = aToken();
    const through = await passed(token, 2 * LIVE + 10);
    expect(through).toBeGreaterThanOrEqual(LIVE);
    expect(through).toBeLessThanOrEqual(2 * LIVE);
  });
});
