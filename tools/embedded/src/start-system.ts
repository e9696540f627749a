import { doorOf, startGateway, type RunningGateway } from '@kontor/api-gateway';
import { billingService } from '@kontor/billing';
import { CreateSandboxTenant, identityService, VerifyToken } from '@kontor/identity';
import { invoicingService } from '@kontor/invoicing';
import { EmbeddedBus } from '@kontor/messaging';
import { notificationsService } from '@kontor/notifications';
import { offersService } from '@kontor/offers';
import { paymentsService } from '@kontor/payments';
import { claimDatabase, provisionDatabase, StorageGuard } from '@kontor/persistence';
import {
  createLog,
  databasePasswords,
  EnvReader,
  limitHeapGrowth,
  type RunningService,
  ServiceConfig,
  type ServiceDefinition,
  ServiceDirectory,
  startService,
  startTracing,
  stopServices,
} from '@kontor/service-kit';
import { usageService } from '@kontor/usage';
import { webhooksService } from '@kontor/webhooks';
import { type BegunStart, beginStart } from './begin-start.js';
import type { Connection, ConnectionFile } from './connection-file.js';
import { CannotStart } from './data-folder.js';
import { Ballast } from './ballast.js';
import { openLogFile } from './log-file.js';
import { reportServerEnd } from './report-server-end.js';
import { reportStorage } from './report-storage.js';

const SERVICES: readonly ServiceDefinition[] = [
  identityService,
  billingService,
  usageService,
  invoicingService,
  paymentsService,
  offersService,
  webhooksService,
  notificationsService,
];

export interface RunningSystem {
  readonly connection: Connection;
  readonly dataDir: string;
  /** For measurements: every service with its address and its parts. */
  readonly services: readonly RunningService[];
  stop(): Promise<void>;
}

/**
 * The whole system in this process: PostgreSQL from its package, all services on loopback, the in-process bus, the gateway.
 * `onHopeless` gets one line when it cannot go on; whoever started it then stops it.
 * @throws CannotStart with one line that says what to do.
 */
export async function startSystem(
  env: NodeJS.ProcessEnv,
  onHopeless: (reason: string) => void = () => undefined,
  /** When it has begun already. */
  begun: BegunStart | Promise<BegunStart> = beginStart(env),
): Promise<RunningSystem> {
  limitHeapGrowth();
  const start = await begun;
  try {
    return await startServices(env, start, onHopeless);
  } catch (error) {
    await start.giveUp();
    throw error;
  }
}

async function startServices(
  env: NodeJS.ProcessEnv,
  { host, port, dataDir, file, secret, postgres, server }: BegunStart,
  onHopeless: (reason: string) => void,
): Promise<RunningSystem> {
  const baseUrl = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const serviceEnv = {
    LOG_LEVEL: 'info',
    PUBLIC_URL: baseUrl,
    ...env,
    KONTOR_SHAPE: 'embedded',
    HOST: '127.0.0.1',
    GATEWAY_HOST: host,
    DATA_DIR: dataDir,
    SECRETS_KEY: secret,
  };
  const directory = new ServiceDirectory();
  const config = new ServiceConfig('api-gateway', serviceEnv);
  const door = { ...doorOf(serviceEnv), host, port, services: directory };
  const log = openLogFile(dataDir);
  const stopTracing = await startTracing(
    'kontor',
    new EnvReader(env).url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']),
  );
  let gateway: RunningGateway | undefined;
  const ballast = new Ballast(dataDir, config.storageReserveBytes);
  const report = reportStorage(createLog('storage', config.logLevel, log.stream), dataDir);
  const storage = new StorageGuard({
    folders: () => [dataDir, postgres.folder ?? dataDir],
    reserveBytes: config.storageReserveBytes,
    onChange: (state) => {
      log.spare(state.isFull);
      report(state);
    },
    // Not while the start has better things to do.
    onLook: (state) => void (gateway && ballast.adjust(state)),
  });
  const bus = new EmbeddedBus(createLog('bus', 'warn', log.stream));
  const running: RunningService[] = [];

  const stop = async (): Promise<void> => {
    file.withdraw();
    storage.stop();
    await gateway?.stop();
    await stopServices(running);
    await bus.close();
    await postgres.stop();
    await stopTracing();
    await log.close();
    file.remove();
  };
  try {
    const { adminUrl } = await server;
    postgres.supervise({
      isExcused: () => storage.isFull,
      onEnd: reportServerEnd(createLog('postgres', config.logLevel, log.stream), dataDir, onHopeless),
    });
    await storage.start();
    await claimDatabase(adminUrl, secret, new EnvReader(env).texts('SECRETS_KEY_PREVIOUS'));
    const boot = async (definition: ServiceDefinition): Promise<void> => {
      const databaseUrls = await provisionDatabase(
        adminUrl,
        definition.name,
        databasePasswords(secret, definition.name),
        {
          ingest: definition.ingest ?? false,
        },
      );
      running.push(
        await startService(definition, {
          port: 0,
          host: '127.0.0.1',
          bus,
          databaseUrls,
          directory,
          env: serviceEnv,
          logStream: log.stream,
          storage,
          processMetrics: definition.name === 'identity',
        }),
      );
    };
    // A failed start still waits for the others, so that `stop` finds every one that came up.
    const results = await Promise.allSettled(SERVICES.map(boot));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const furtherMetrics = running.map(({ kit }) => kit.metrics);
    gateway = await startGateway({ ...door, furtherMetrics, logStream: log.stream });
    await gateway.ready();
    const tenant = await firstTenant(running.find((service) => service.name === 'identity') as RunningService, file);
    const connection: Connection = {
      baseUrl,
      ...tenant,
      docsUrl: `${baseUrl}/docs`,
      consoleUrl: null,
      startedAt: new Date().toISOString(),
      pid: process.pid,
    };
    file.publish(connection);
    return { connection, dataDir, services: running, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/**
 * The tenant that an earlier start printed; a new one at the first start.
 * @throws CannotStart when the data folder names a tenant whose key this database does not know.
 */
async function firstTenant(
  identity: RunningService,
  file: ConnectionFile,
): Promise<{ tenantId: string; apiKey: string }> {
  const known = file.tenant();
  if (known) {
    const verified = await identity.get(VerifyToken).execute(known.apiKey).catch(refused);
    if (verified?.principal.tenantId === known.tenantId) return known;
    throw new CannotStart(
      `${file.tenantPath} names a tenant or key that this database does not know: restore that file, or remove it to get a new tenant.`,
    );
  }
  const tenant = await identity.get(CreateSandboxTenant).firstTenant();
  file.keepTenant(tenant);
  return tenant;
}

const refused = (error: unknown): undefined => {
  if ((error as { reason?: string }).reason !== 'unauthenticated') throw error;
};
