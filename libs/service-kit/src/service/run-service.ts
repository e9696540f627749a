import { SERVICES } from '@kontor/contracts';
import { KafkaBus } from '@kontor/messaging';
import { claimDatabase, provisionDatabase, refuseMixedDatabases } from '@kontor/persistence';
import { createHmac } from 'node:crypto';
import { ConfigurationError, EnvReader, type Environment } from '../config/env-reader.js';
import { ServiceConfig } from '../config/service-config.js';
import { ServiceDirectory } from '../internal/service-directory.js';
import { createLog } from '../observability/log.js';
import { startTracing } from '../observability/tracing.js';
import type { ServiceDefinition } from './define-service.js';
import { endOnSignals } from './end-process.js';
import { kafkaConnection } from '../config/kafka-connection.js';
import { startAdvice } from './explain-start.js';
import { limitHeapGrowth } from './limit-heap-growth.js';
import { ownDatabaseUrls } from './own-database-urls.js';
import type { DatabaseUrls } from './start-options.js';
import { startService } from './start-service.js';

/** The main of a service's process: everything from the environment; SIGTERM and Ctrl-C stop it cleanly. */
export async function runService(definition: ServiceDefinition, env: Environment = process.env): Promise<void> {
  limitHeapGrowth();
  try {
    const read = new EnvReader(env);
    const { logLevel } = new ServiceConfig(definition.name, env);
    const stopTracing = await startTracing(definition.name, read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']));
    const log = createLog(definition.name, logLevel);
    const kafka = kafkaConnection(read);
    const directory = ServiceDirectory.fromEnv(env, SERVICES).require(
      SERVICES.filter((name) => name !== definition.name),
    );
    const bus = new KafkaBus({
      ...kafka,
      clientId: definition.name,
      logger: log,
      replicationFactor: read.integer('KAFKA_REPLICATION_FACTOR', 1, { min: 1, max: 7 }),
    });
    const service = await startService(definition, {
      port: read.integer('PORT', 0, { min: 0, max: 65_535 }),
      bus,
      databaseUrls: await databaseUrls(definition, read),
      directory,
      env,
      processMetrics: true,
    });
    endOnSignals(async () => {
      await service.stop();
      await bus.close();
      await stopTracing();
    });
  } catch (error) {
    const { message, stack } = error as Error;
    process.stderr.write(`${definition.name}: ${startAdvice(error) ?? stack ?? message}\n`);
    process.exit(1);
  }
}

/** `DATABASE_URL` and `DATABASE_OWNER_URL`; or `DATABASE_ADMIN_URL`, with which the database and its roles are made. */
async function databaseUrls({ name, ingest }: ServiceDefinition, read: EnvReader): Promise<DatabaseUrls> {
  const urls = ownDatabaseUrls(read);
  const secret = read.required('SECRETS_KEY', 'make one with "openssl rand -hex 32" and give every service the same');
  if (urls) {
    await refuseMixedDatabases({
      DATABASE_URL: urls.appUrl,
      DATABASE_OWNER_URL: urls.ownerUrl,
      ...(ingest && urls.ingestUrl ? { DATABASE_INGEST_URL: urls.ingestUrl } : {}),
    });
    return urls;
  }
  const admin = read.databaseUrl('DATABASE_ADMIN_URL');
  if (!admin) throw new ConfigurationError('Set DATABASE_URL and DATABASE_OWNER_URL, or DATABASE_ADMIN_URL.');
  await claimDatabase(admin, secret, read.texts('SECRETS_KEY_PREVIOUS'));
  return provisionDatabase(admin, name, databasePasswords(secret, name), { ...(ingest ? { ingest } : {}) });
}

/** Passwords of a service's two roles, derived so that every replica comes to the same. */
export const databasePasswords = (secret: string, service: string): { owner: string; app: string } => {
  const derive = (role: string): string =>
    createHmac('sha256', secret).update(`database ${service} ${role}`).digest('hex');
  return { owner: derive('owner'), app: derive('app') };
};
