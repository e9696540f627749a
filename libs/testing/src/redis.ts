import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RedisFixture {
  readonly url: string;
  stop(): Promise<void>;
}

interface RedisStarter {
  startRedis(options: {
    dataDir: string;
    port?: number;
  }): Promise<{ url: string; port: number; pid: number; stop(): Promise<void> }>;
  redisMissing(): Promise<string | null>;
}

export const redisStarter = (): Promise<RedisStarter> =>
  import(new URL('../../../tools/redis/start.mjs', import.meta.url).href) as Promise<RedisStarter>;

/**
 * A real Redis for tests: `REDIS_URL`, else a `redis-server` binary. Null (skip those tests) when there is none.
 * @throws Error instead of null when `REQUIRE_REDIS=1`.
 */
export async function redisFixture(): Promise<RedisFixture | null> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const { startRedis, redisMissing } = await redisStarter();
  const missing = await redisMissing();
  if (missing === null) {
    const dataDir = mkdtempSync(join(tmpdir(), 'kontor-redis-'));
    const redis = await startRedis({ dataDir });
    const stop = async (): Promise<void> => {
      await redis.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { url: redis.url, stop };
  }
  if (process.env['REQUIRE_REDIS'] === '1') throw new Error(`REQUIRE_REDIS=1, but no Redis can be had: ${missing}`);
  return null;
}
