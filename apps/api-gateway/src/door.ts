import { type Environment, EnvReader } from '@kontor/service-kit/env-reader';
import { type LogLevel, ServiceConfig } from '@kontor/service-kit/service-config';

/** Requests a minute and token. @see docs/rules/api.md#rate-limits */
export interface RateLimits {
  readonly live: number;
  readonly liveUsage: number;
  readonly sandbox: number;
  readonly sandboxUsage: number;
  /** Operations without a token, by address. */
  readonly anonymous: number;
  /** Logins and requests for login links, by address; steps of one sign-in to an app. */
  readonly logins: number;
  /** Steps of all sign-ins to apps, by address: a sign-in has three. */
  readonly signIns: number;
  /** Without a token, by address: each has a mail sent to an address that anybody enters. */
  readonly orders: number;
  /** Call-backs of payment providers, by address: a provider has few, and repeats what is refused hours later. */
  readonly callbacks: number;
}

/** What a gateway has from the environment in either shape. */
export interface Door {
  /** Shared with all services: signs the internal token. */
  readonly internalSecret: string;
  /** Counters live here when set and reachable, else in this process. */
  readonly redisUrl?: string | undefined;
  /** Proxies in front, each of which adds to `X-Forwarded-For` where it was asked from: what stands before that anybody may have written. */
  readonly trustedProxies?: number;
  readonly rateLimits: RateLimits;
  /** Open connections of one address; not limited behind a proxy, whose address they all have. Default 1,000. */
  readonly maxConnectionsPerAddress?: number;
  /** Prometheus metrics on a port of their own, which is not public; absent: none. */
  readonly metricsPort?: number | undefined;
  readonly logLevel: LogLevel;
}

export const rateLimitsOf = (env: Environment): RateLimits => {
  const read = new EnvReader(env);
  const perMinute = (name: string, fallback: number): number =>
    read.integer(name, fallback, { min: 1, max: 1_000_000_000 });
  return {
    live: perMinute('RATE_LIMIT_LIVE', 600),
    liveUsage: perMinute('RATE_LIMIT_USAGE', 1_200),
    sandbox: perMinute('RATE_LIMIT_SANDBOX', 6_000),
    sandboxUsage: perMinute('RATE_LIMIT_SANDBOX_USAGE', 60_000),
    anonymous: perMinute('RATE_LIMIT_ANONYMOUS', 600),
    logins: perMinute('RATE_LIMIT_LOGINS', 10),
    signIns: perMinute('RATE_LIMIT_SIGN_INS', 150),
    orders: perMinute('RATE_LIMIT_ORDERS', 60),
    callbacks: perMinute('RATE_LIMIT_CALLBACKS', 6_000),
  };
};

const PROXIES = { false: 0, true: 1, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 };

const trustedProxiesOf = (read: EnvReader): number =>
  PROXIES[read.oneOf('TRUST_PROXY', ['false', 'true', '1', '2', '3', '4', '5'], 'false')];

/** What a gateway has from the environment in either shape. @throws ConfigurationError */
export function doorOf(env: Environment): Door {
  const read = new EnvReader(env);
  const { internalSecret, logLevel } = new ServiceConfig('api-gateway', env);
  return {
    internalSecret,
    redisUrl: read.url('REDIS_URL', ['redis', 'rediss']),
    trustedProxies: trustedProxiesOf(read),
    rateLimits: rateLimitsOf(env),
    maxConnectionsPerAddress: read.integer('MAX_CONNECTIONS_PER_ADDRESS', 1_000, { min: 1, max: 1_000_000 }),
    metricsPort: read.integer('METRICS_PORT', 0, { min: 0, max: 65_535 }) || undefined,
    logLevel,
  };
}
