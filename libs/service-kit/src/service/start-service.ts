import type { Server } from 'node:http';
import { NestFactory, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type BusPort, Messaging } from '@kontor/messaging';
import {
  BlobStore,
  claimDatabase,
  Database,
  DueRunner,
  migrate,
  Replicas,
  rolesOf,
  StorageGuard,
  type StorageState,
} from '@kontor/persistence';
import type { DestinationStream } from 'pino';
import { EnvReader, type Environment } from '../config/env-reader.js';
import { SecretBox } from '../config/secret-box.js';
import { ServiceConfig } from '../config/service-config.js';
import { usableFolder } from '../config/usable-folder.js';
import { BodyInterceptor } from '../http/body.interceptor.js';
import { FieldsInterceptor } from '../http/fields.interceptor.js';
import { QueryInterceptor } from '../http/query.interceptor.js';
import { BodyPipe } from '../http/body.pipe.js';
import { createHttpAdapter } from '../http/create-http-app.js';
import { followConnections } from '../http/end-connections.js';
import { OperationGuard } from '../http/guard.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { InvariantWatch } from '../invariants/invariant-watch.js';
import { InternalClient } from '../internal/internal-client.js';
import { InternalTokens } from '../internal/internal-token.js';
import { ServiceDirectory } from '../internal/service-directory.js';
import { createLog, type Log, NestLog } from '../observability/log.js';
import { loopGuard } from '../observability/loop-guard.js';
import { Metrics } from '../observability/metrics.js';
import { ExportData } from '../personal-data/export-data.js';
import { EraseCustomer } from '../personal-data/erase-customer.js';
import { EraseTenant } from '../personal-data/erase-tenant.js';
import { NOTHING_KEPT } from '../personal-data/tenant-data.js';
import { CopyWatch } from '../replicas/copy-watch.js';
import { ReplicaBackfill } from '../replicas/replica-backfill.js';
import { replicaConsumers } from '../replicas/replica-consumer.js';
import { replicaOwners } from '../replicas/replica-owners.js';
import { ReplicaFreshness } from '../replicas/replica-freshness.js';
import { type ReplicaProvider, ReplicaSources, replicaSourceOf } from '../replicas/replica-source.js';
import { routesOf } from '../openapi/openapi-document.js';
import { BusConnection } from './bus-connection.js';
import { type ServiceDefinition, migrationsOf } from './define-service.js';
import { refuseHost } from './explain-start.js';
import { type Kit, ServiceRoot } from './kit-module.js';
import { messagingDatabase } from './messaging-database.js';
import { connectMessagingToRequests } from './process-hooks.js';
import { ReplayParked } from './replay-parked.js';
import { largeNoticeRule, Retention } from './retention.js';
import { RewrapSecrets } from './rewrap-secrets.js';
import { ServiceState } from './service-state.js';
import { type RunningService, stopServices } from './stop-services.js';
import { OperatorWatch } from './operator-watch.js';
import { showWaitingEvents } from './show-waiting-events.js';

/** Usage batches and uploads; the gateway allows less where less is promised. */
const BODY_LIMIT = 32 * 1024 * 1024;
/** So long a stop waits for requests that are under way; the work that follows them has the rest of its time. */
const LAST_REQUESTS_MS = 15_000;

export interface DatabaseUrls {
  /** Owns the schema: migrations only. */
  readonly ownerUrl: string;
  /** Bound by row-level security: everything else. */
  readonly appUrl: string;
  readonly ingestUrl?: string | null;
}

export interface StartOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  readonly bus: BusPort;
  readonly databaseUrls: DatabaseUrls;
  readonly directory: ServiceDirectory;
  readonly env: Environment;
  /** Where log lines go; standard output unless given. */
  readonly logStream?: DestinationStream;
  /** Given where several services share the disk: started and stopped by whoever gives it. */
  readonly storage?: StorageGuard;
  /** Real time; replaced in tests. */
  readonly clock?: () => Date;
  /** Metrics of the process itself, once per process. */
  readonly processMetrics?: boolean;
}

/** Brings one service up: migrations, database, HTTP, consumers, relay, due work. The same in both shapes. */
export async function startService(definition: ServiceDefinition, options: StartOptions): Promise<RunningService> {
  const kit = await buildKit(definition, options);
  const { name } = definition;
  const adapter = createHttpAdapter({
    service: name,
    log: kit.log,
    metrics: kit.metrics,
    storage: kit.database.storage,
    bodyLimit: BODY_LIMIT,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ServiceRoot.of(kit, definition.module), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(kit.log),
  });
  app.useGlobalGuards(new OperationGuard(kit.tokens));
  app.useGlobalInterceptors(
    new QueryInterceptor(),
    new BodyInterceptor(),
    new FieldsInterceptor(),
    new IdempotencyInterceptor(kit.database, kit.log, kit.secrets),
  );
  app.useGlobalPipes(new BodyPipe());
  app.useGlobalFilters(new ProblemFilter(kit.log));
  discover(app, kit);
  app.connectMicroservice({ strategy: kit.messaging.strategy });
  const endConnections = followConnections(app.getHttpServer() as Server);
  let allEnded = (): void => undefined;
  await kit.database.presence.start({ alone: kit.config.embedded });
  const host = options.host ?? kit.config.host;
  // What is put back from a backup is known when the bus was asked.
  if (options.bus.kind === 'kafka') kit.database.writes.holdRequests();
  await app.listen(options.port, host).catch(refuseHost(host));
  const address = app.getHttpServer().address() as { port: number };
  const url = `http://${host}:${address.port}`;
  kit.directory.set(name, ...(kit.directory.all(name).length > 0 ? kit.directory.all(name) : [url]));
  const bus = new BusConnection(app, kit);
  await bus.start();
  kit.database.writes.endHold();
  const backfill = new ReplicaBackfill(kit.database, kit.replicas, kit.client, kit.log);
  backfill.start(definition.replicas);
  kit.dueRunner.start();
  const watch = new InvariantWatch(kit.database, definition.invariants, kit.client, kit.log, kit.metrics);
  watch.start();
  const unguard = loopGuard.watch(name, kit.log, kit.metrics);
  const rules = [...(definition.retention?.(kit.config) ?? []), largeNoticeRule(kit.config.eventLogDays)];
  const { idempotencyDays } = kit.config;
  const blobs = storesFiles(definition) ? kit.blobs : null;
  const retention = new Retention(kit.database, { rules, idempotencyDays, blobs }, kit.client, kit.log);
  retention.start();
  const rewrap = new RewrapSecrets(kit.database, kit.secrets, kit.client, kit.log, () => claim(options, false));
  rewrap.start(definition.sealed ?? []);
  const replay = new ReplayParked(kit.messaging, kit.log);
  replay.start();
  kit.state.ready = true;
  kit.log.info({ url }, 'service ready');
  const running: RunningService = {
    name,
    url,
    kit,
    get: (token) => app.get(token, { strict: false }),
    stop: () => stopServices([running]),
    steps: {
      listener: async () => {
        closeListener(app, kit);
        allEnded = endConnections(LAST_REQUESTS_MS);
      },
      requests: () =>
        app
          .getHttpAdapter()
          .getInstance()
          .close()
          .then(() => allEnded()),
      claims: () =>
        Promise.all([
          kit.dueRunner.stop(),
          backfill.stop(),
          watch.stop(),
          retention.stop(),
          rewrap.stop(),
          replay.stop(),
        ]).then(() => undefined),
      consumers: () => kit.messaging.strategy.close(),
      relay: () => kit.messaging.stopRelay(),
      pool: async () => {
        unguard();
        await app.close();
        await kit.client.close();
        await kit.database.presence.stop();
        await kit.database.close();
      },
    },
  };
  return running;
}

/** Whoever leaves an earlier key away too early learns it at the start: what is under it could not be read, and nothing else would say so. */
function claim({ databaseUrls, env }: StartOptions, isMixed: boolean): Promise<void> {
  const read = new EnvReader(env);
  const key = read.text('SECRETS_KEY') ?? '';
  return claimDatabase(databaseUrls.ownerUrl, key, read.texts('SECRETS_KEY_PREVIOUS'), { isMixed });
}

async function buildKit(definition: ServiceDefinition, options: StartOptions): Promise<Kit> {
  const { name } = definition;
  const config = new ServiceConfig(name, options.env);
  config.ingestUrl = options.databaseUrls.ingestUrl ?? null;
  if (storesFiles(definition)) usableFolder(config.blobDir);
  const log = createLog(name, config.logLevel, options.logStream);
  const state = new ServiceState();
  connectMessagingToRequests();
  await claim(options, (definition.sealed ?? []).length > 0);
  await migrate(options.databaseUrls.ownerUrl, migrationsOf(definition), rolesOf(name));
  const storage = options.storage ?? (await ownStorage(config, log));
  const database = await Database.connect({
    serviceName: name,
    appUrl: options.databaseUrls.appUrl,
    storage,
    rows: definition.rows,
    poolSize: config.poolSize,
    ...(options.clock ? { clock: options.clock } : {}),
    onClockDifference: (secondsBehind) =>
      log.warn({ secondsBehind }, "this machine's clock differs from the database's, which counts: set it right"),
    onError: (error) => (state.stopping ? undefined : log.warn({ err: error }, 'a database connection was lost')),
  });
  const tokens = new InternalTokens(config.internalSecret);
  const client = new InternalClient(name, options.directory, tokens);
  const replicas = new Replicas();
  replicas.readThrough(replicaOwners(client));
  const watch = new CopyWatch();
  const blobs = new BlobStore(config.blobDir);
  const messaging = new Messaging({
    database: messagingDatabase(database, options.databaseUrls.appUrl),
    bus: options.bus,
    logger: log,
  });
  for (const consumer of replicaConsumers(definition.replicas, replicas, watch, database)) messaging.register(consumer);
  const metrics = new Metrics(name);
  if (options.processMetrics) metrics.withProcessMetrics();
  showWaitingEvents(metrics, messaging);
  const operatorWatch = new OperatorWatch(database, messaging.parked);
  operatorWatch.show(metrics);
  return {
    config,
    database,
    replicas,
    client,
    tokens,
    messaging,
    metrics,
    watch,
    operatorWatch,
    exportData: new ExportData(definition.customerData, database, blobs),
    eraseCustomer: new EraseCustomer(definition.customerData, database, client, config, {
      replicas: definition.replicas.includes('customer') ? replicas : null,
    }),
    eraseTenant: new EraseTenant(
      definition.tenantData ?? NOTHING_KEPT,
      definition.customerData,
      database,
      client,
      config,
    ),
    log,
    directory: options.directory,
    blobs,
    dueRunner: new DueRunner(database, {
      alone: config.embedded,
      onError: (error, claim) =>
        log.error({ err: error, kind: claim.kind, tenantId: claim.tenantId }, 'due work failed'),
    }),
    freshness: new ReplicaFreshness(name, client),
    secrets: new SecretBox(config.secretsKey, config.previousSecretsKeys),
    state,
    sources: new ReplicaSources(),
    sharesStorage: options.storage !== undefined,
  };
}

const storesFiles = ({ tenantData, customerData }: ServiceDefinition): boolean =>
  tenantData?.files !== undefined || customerData.tables.some(({ files }) => files);

/** Watches the disk of the files; the database's, which may be elsewhere, shows by its refusals. */
async function ownStorage({ blobDir, dataDir, storageReserveBytes }: ServiceConfig, log: Log): Promise<StorageGuard> {
  const guard = new StorageGuard({
    folders: () => [blobDir, dataDir],
    reserveBytes: storageReserveBytes,
    onChange: (state) => logStorage(log, state),
  });
  await guard.start();
  return guard;
}

const logStorage = (log: Log, state: StorageState): void =>
  log.warn(
    { freeBytes: state.freeBytes },
    state.isFull ? 'the storage is full: writes are refused' : 'there is room again',
  );

/** Providers that mark themselves: workers of due work, owners' sides of copies. Routes without an operation are refused. */
function discover(app: NestFastifyApplication, kit: Kit): void {
  for (const module of app.get(ModulesContainer).values()) {
    for (const wrapper of module.controllers.values()) routesOf(wrapper.metatype as Function);
    for (const { instance } of module.providers.values()) {
      kit.dueRunner.register(instance);
      const kind = replicaSourceOf(instance);
      if (kind) kit.sources.add(kind, instance as ReplicaProvider);
    }
  }
}

function closeListener(app: NestFastifyApplication, kit: Kit): void {
  kit.state.ready = false;
  kit.state.stopping = true;
  if (!kit.sharesStorage) kit.database.storage.stop();
  (app.getHttpServer() as Server).close();
}
