import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { VerifyTokenResponse } from '@kontor/contracts';
import { DomainError, onDemand } from '@kontor/kernel';
import { Log, networkOf } from '@kontor/service-kit';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { GATEWAY_CONFIG } from '../tokens.js';

const ioredis = onDemand<typeof import('ioredis')>('ioredis', import.meta.url);
const WINDOW_SECONDS = 60;

/** Whose requests are counted: the digest of its token, and whether it is a sandbox's. */
interface CountedCaller extends Pick<VerifyTokenResponse, 'mode'> {
  readonly key: string;
}

export type CountedKind = 'request' | 'usage' | 'login' | 'sign-in' | 'order' | 'callback';
const KEY_PREFIX: Readonly<Record<CountedKind, string>> = {
  request: 'r',
  usage: 'u',
  login: 'l',
  'sign-in': 's',
  order: 'o',
  callback: 'c',
};

export interface LimitState {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Counts requests by token and minute: in Redis for all gateways together, in this process when there is no Redis or while it
 * is away (then each gateway allows the full number: a limit that is too generous for a while, never a refusal by mistake).
 */
@Injectable()
export class RateLimit implements OnModuleDestroy {
  private readonly redis: Redis | undefined;
  private readonly limiters = new Map<number, RateLimiterAbstract>();
  private refusalSaidAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly log: Log,
  ) {
    if (config.redisUrl) {
      const { Redis } = ioredis();
      this.redis = new Redis(config.redisUrl, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        commandTimeout: 200,
        lazyConnect: false,
      });
      // Without a listener each lost connection would end the process.
      let isAway = false;
      this.redis.on('error', ({ message }: Error) => {
        if (!isAway) log.warn({ error: message }, 'Redis cannot be used: this gateway counts rate limits by itself');
        isAway = true;
      });
      this.redis.on('ready', () => {
        if (isAway) log.info({}, 'Redis can be used again: all gateways count rate limits together');
        isAway = false;
      });
    }
  }

  /**
   * Counts a request against the caller's minute. What accepts usage events has a separate limit; who tries to log in, and all
   * sign-ins to apps together, are counted by address.
   */
  async take(caller: CountedCaller | undefined, address: string, kind: CountedKind): Promise<LimitState> {
    const limit = this.limitOf(caller, kind);
    const network = networkOf(address);
    const key = `${KEY_PREFIX[kind]}:${kind === 'login' || kind === 'sign-in' ? network : (caller?.key ?? network)}`;
    try {
      return this.state(await this.limiter(limit).consume(key), limit, true);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return this.state(refused, limit, false);
      throw refused;
    }
  }

  /** Counts a step of one sign-in to an app: an office behind one address has many, each of which has few. */
  async takeStep(address: string, signIn: string): Promise<LimitState> {
    const { logins } = this.config.rateLimits;
    try {
      return this.state(await this.limiter(logins).consume(`i:${networkOf(address)}:${signIn}`), logins, true);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return this.state(refused, logins, false);
      throw refused;
    }
  }

  /**
   * Counts an attempt with a token that is not known to be valid, by address.
   * @throws DomainError 429 `rate_limited` after as many as an anonymous caller has requests.
   */
  async takeAttempt(address: string): Promise<void> {
    try {
      await this.limiter(this.config.rateLimits.anonymous).consume(`t:${networkOf(address)}`);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooManyRequests('Too many unknown tokens from this address in this minute.', secondsOf(refused));
    }
  }

  /** The attempt was none: the token is valid. */
  async returnAttempt(address: string): Promise<void> {
    await this.limiter(this.config.rateLimits.anonymous).reward(`t:${networkOf(address)}`);
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  private limitOf(caller: CountedCaller | undefined, kind: CountedKind): number {
    const limits = this.config.rateLimits;
    if (kind === 'login') return limits.logins;
    if (kind === 'sign-in') return limits.signIns;
    if (kind === 'order') return limits.orders;
    if (kind === 'callback') return limits.callbacks;
    if (!caller) return limits.anonymous;
    if (caller.mode === 'live') return kind === 'usage' ? limits.liveUsage : limits.live;
    return kind === 'usage' ? limits.sandboxUsage : limits.sandbox;
  }

  private limiter(points: number): RateLimiterAbstract {
    let limiter = this.limiters.get(points);
    if (!limiter) {
      const memory = new OwnCount({ points, duration: WINDOW_SECONDS, keyPrefix: `kontor:${points}` }, () =>
        this.countsAlone(),
      );
      limiter = this.redis
        ? new RateLimiterRedis({
            storeClient: this.redis,
            points,
            duration: WINDOW_SECONDS,
            keyPrefix: `kontor:${points}`,
            insuranceLimiter: memory,
            rejectIfRedisNotReady: true,
          })
        : memory;
      this.limiters.set(points, limiter);
    }
    return limiter;
  }

  /** Redis is connected and does not count: it is full, read-only, or slow. Its end is not reported, so it is logged once a minute. */
  private countsAlone(): void {
    if (this.redis?.status !== 'ready' || performance.now() - this.refusalSaidAt < WINDOW_SECONDS * 1000) return;
    this.refusalSaidAt = performance.now();
    this.log.warn(
      {},
      'Redis does not count (is it full, read-only or slow?): this gateway counts rate limits by itself',
    );
  }

  private state(result: RateLimiterRes, limit: number, allowed: boolean): LimitState {
    const reset = String(secondsOf(result));
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, result.remainingPoints)),
      'ratelimit-reset': reset,
    };
    return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': reset } };
  }
}

/** Counts in this process, and reports that it is asked to. */
class OwnCount extends RateLimiterMemory {
  constructor(
    options: ConstructorParameters<typeof RateLimiterMemory>[0],
    private readonly onUse: () => void,
  ) {
    super(options);
  }

  override consume(...args: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.onUse();
    return super.consume(...args);
  }
}

/** Until the window ends: never longer than it is, which a clock that was set back says where this process counts. */
const secondsOf = ({ msBeforeNext }: RateLimiterRes): number =>
  Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000)));

export const tooManyRequests = (detail: string, retryAfterSeconds: number): DomainError =>
  new DomainError('rate_limited', { kind: 'too_many', detail, retryAfterSeconds });
