import type { Server } from 'node:http';
import { NestFactory, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
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
import { NestLog } from '../observability/log.js';
import { loopGuard } from '../observability/loop-guard.js';
import { ReplicaBackfill } from '../replicas/replica-backfill.js';
import { type ReplicaProvider, replicaSourceOf } from '../replicas/replica-source.js';
import { routesOf } from '../openapi/openapi-document.js';
import { BusConnection } from './bus-connection.js';
import type { ServiceDefinition } from './define-service.js';
import { refuseHost } from './explain-start.js';
import { type Kit, ServiceRoot } from './kit-module.js';
import { ReplayParked } from './replay-parked.js';
import { largeNoticeRule, Retention } from './retention.js';
import { RewrapSecrets } from './rewrap-secrets.js';
import { type RunningService, stopServices } from './stop-services.js';
import { buildKit, claimServiceDatabase, storesFiles } from './build-kit.js';
import type { StartOptions } from './start-options.js';

/** Usage batches and uploads; the gateway allows less where less is promised. */
const BODY_LIMIT = 32 * 1024 * 1024;
/** So long a stop waits for requests that are under way; the work that follows them has the rest of its time. */
const LAST_REQUESTS_MS = 15_000;

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
  const rewrap = new RewrapSecrets(kit.database, kit.secrets, kit.client, kit.log, () =>
    claimServiceDatabase(options, false),
  );
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
