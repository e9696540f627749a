import { SERVICES } from '@kontor/contracts';
import { type Environment, EnvReader, type Metrics, ServiceConfig, ServiceDirectory } from '@kontor/service-kit';
import type { DestinationStream } from 'pino';
import { type Door, doorOf } from './door.js';

export interface GatewayConfig extends Door {
  readonly host: string;
  readonly port: number;
  /** Where every service listens. */
  readonly services: ServiceDirectory;
  /** How long requests may come faster than they are answered before waiting ones are refused early; longer in tests. */
  readonly burstMs?: number;
  /** Milliseconds in which a body must bring a KiB; shorter in tests. */
  readonly paceIntervalMs?: number;
  /** Those of services in this process, which nobody finds by their ports: shown with the gateway's. */
  readonly furtherMetrics?: readonly Metrics[];
  /** Where log lines go; standard output unless given. */
  readonly logStream?: DestinationStream;
}

/**
 * Configuration of a gateway process: `<SERVICE>_URL` of every service (replicas with commas) and `SECRETS_KEY` are required.
 * @throws ConfigurationError with one line that names the variable and what it must be.
 */
export function gatewayConfig(env: Environment): GatewayConfig {
  const services = ServiceDirectory.fromEnv(env, SERVICES).require(SERVICES);
  const port = new EnvReader(env).integer('PORT', 3000, { min: 0, max: 65_535 });
  return { ...doorOf(env), host: new ServiceConfig('api-gateway', env).host, port, services };
}
