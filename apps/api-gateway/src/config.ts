import { SERVICES } from '@kontor/contracts';
import { ServiceDirectory } from '@kontor/service-kit';

/** Requests a minute and token. @see decisions.md §1 "Rate limits" */
export interface RateLimits {
  readonly live: number;
  readonly liveUsage: number;
  readonly sandbox: number;
  readonly sandboxUsage: number;
  /** Operations without a token, by address. */
  readonly anonymous: number;
}

export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Where every service listens. */
  readonly services: ServiceDirectory;
  /** Shared with all services: signs the internal token. */
  readonly internalSecret: string;
  /** Counters live here when set and reachable, else in this process. */
  readonly redisUrl?: string;
  readonly rateLimits: RateLimits;
  readonly logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error with one line that names the variable and what it must be. */
function integer(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${text}".`);
  return value;
}

export const rateLimitsOf = (env: Environment): RateLimits => ({
  live: integer(env, 'RATE_LIMIT_LIVE', 600),
  liveUsage: integer(env, 'RATE_LIMIT_USAGE', 1_200),
  sandbox: integer(env, 'RATE_LIMIT_SANDBOX', 6_000),
  sandboxUsage: integer(env, 'RATE_LIMIT_SANDBOX_USAGE', 60_000),
  anonymous: integer(env, 'RATE_LIMIT_ANONYMOUS', 600),
});

/** Configuration of a gateway process: `<SERVICE>_URL` of every service (replicas with commas) and `INTERNAL_SECRET` are required. */
export function gatewayConfig(env: Environment): GatewayConfig {
  const services = ServiceDirectory.fromEnv(env, SERVICES);
  const missing = SERVICES.find((service) => services.all(service).length === 0);
  if (missing) throw new Error(`${missing.toUpperCase()}_URL must be the address of the ${missing} service, such as http://127.0.0.1:3001.`);
  const internalSecret = env['INTERNAL_SECRET'];
  if (!internalSecret) throw new Error('INTERNAL_SECRET must be set to the secret that all services share.');
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port: integer(env, 'PORT', 3000),
    services,
    internalSecret,
    ...(env['REDIS_URL'] ? { redisUrl: env['REDIS_URL'] } : {}),
    rateLimits: rateLimitsOf(env),
    logLevel: env['LOG_LEVEL'] ?? 'info',
  };
}
