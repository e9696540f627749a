import { expect, it } from '@jest/globals';
import type { Log } from '@kontor/service-kit';
import { eventually } from '@kontor/testing';
import { RateLimit } from '../src/limits/rate-limit.js';

it('a Redis that cannot be used is in the log once, however often it is tried, and limits hold without it', async () => {
  const said: unknown[] = [];
  let refusals = 0;
  const note = (fields: object, message: string): void => void said.push({ ...fields, message });
  const config = { redisUrl: 'redis://127.0.0.1:1', rateLimits: { anonymous: 2 } };
  const limits = new RateLimit(config as never, { warn: note, info: note } as Log);
  (limits as unknown as { redis: NodeJS.EventEmitter }).redis.on('error', () => refusals++);
  try {
    await eventually(() => refusals >= 3, 'some attempts');
    expect(said).toEqual([
      {
        error: 'connect ECONNREFUSED 127.0.0.1:1',
        message: 'Redis cannot be used: this gateway counts rate limits by itself',
      },
    ]);
    for (let n = 0; n < 2; n++) await limits.takeAttempt('192.0.2.1');
    await expect(limits.takeAttempt('192.0.2.1')).rejects.toMatchObject({ reason: 'rate_limited' });
  } finally {
    limits.onModuleDestroy();
  }
});
