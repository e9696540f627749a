import { Messaging } from '@kontor/messaging';
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
import { EnvReader } from '../config/env-reader.js';
import { SecretBox } from '../config/secret-box.js';
import { ServiceConfig } from '../config/service-config.js';
import { usableFolder } from '../config/usable-folder.js';
import { InternalClient } from '../internal/internal-client.js';
import { InternalTokens } from '../internal/internal-token.js';
import { createLog, type Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { ExportData } from '../personal-data/export-data.js';
import { EraseCustomer } from '../personal-data/erase-customer.js';
import { EraseTenant } from '../personal-data/erase-tenant.js';
import { NOTHING_KEPT } from '../personal-data/tenant-data.js';
import { CopyWatch } from '../replicas/copy-watch.js';
import { replicaConsumers } from '../replicas/replica-consumer.js';
import { replicaOwners } from '../replicas/replica-owners.js';
import { ReplicaFreshness } from '../replicas/replica-freshness.js';
import { ReplicaSources } from '../replicas/replica-source.js';
import { type ServiceDefinition, migrationsOf } from './define-service.js';
import type { Kit } from './kit-module.js';
import { messagingDatabase } from './messaging-database.js';
import { connectMessagingToRequests } from './process-hooks.js';
import { ServiceState } from './service-state.js';
import { OperatorWatch } from './operator-watch.js';
import { showWaitingEvents } from './show-waiting-events.js';
import type { StartOptions } from './start-options.js';

/** Whoever leaves an earlier key away too early learns it at the start: what is under it could not be read, and nothing else would say so. */
export function claimServiceDatabase({ databaseUrls, env }: StartOptions, isMixed: boolean): Promise<void> {
  const read = new EnvReader(env);
  const key = read.text('SECRETS_KEY') ?? '';
  return claimDatabase(databaseUrls.ownerUrl, key, read.texts('SECRETS_KEY_PREVIOUS'), { isMixed });
}

/** What a service works with, before anything is served: its settings, its database with the newest tables, and its connections. */
export async function buildKit(definition: ServiceDefinition, options: StartOptions): Promise<Kit> {
  const { name } = definition;
  const config = new ServiceConfig(name, options.env);
  config.ingestUrl = options.databaseUrls.ingestUrl ?? null;
  if (storesFiles(definition)) usableFolder(config.blobDir);
  const log = createLog(name, config.logLevel, options.logStream);
  const state = new ServiceState();
  connectMessagingToRequests();
  await claimServiceDatabase(options, (definition.sealed ?? []).length > 0);
  await migrate(options.databaseUrls.ownerUrl, migrationsOf(definition), rolesOf(name));
  const storage = options.storage ?? (await ownStorage(config, log));
  const database = await Database.connect({
    serviceName: name,
    appUrl: options.databaseUrls.appUrl,
    storage,
    rows: definition.rows,
    poolSize: config.poolSize,
    ...(options.clock ? { clock: options.clock } : {}),
    onClockDifference: (secondsBehind) => logClock(log, secondsBehind),
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

export const storesFiles = ({ tenantData, customerData }: ServiceDefinition): boolean =>
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

const logClock = (log: Log, secondsBehind: number): void =>
  secondsBehind === 0
    ? log.info({}, "this machine's clock agrees with the database's again")
    : log.warn({ secondsBehind }, "this machine's clock differs from the database's, which counts: set it right");

const logStorage = (log: Log, state: StorageState): void =>
  log.warn(
    { freeBytes: state.freeBytes },
    state.isFull ? 'the storage is full: writes are refused' : 'there is room again',
  );
