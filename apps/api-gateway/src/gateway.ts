import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, LogController } from 'fastify';
import { Authenticate } from './auth/authenticate.js';
import type { GatewayConfig } from './config.js';
import { DocsController } from './docs/docs.controller.js';
import { HealthController } from './docs/health.controller.js';
import { Bulkheads } from './limits/bulkheads.js';
import { limitConnections } from './limits/limit-connections.js';
import { RateLimit } from './limits/rate-limit.js';
import { listen } from './listen.js';
import { observe, serveMetrics } from './observe.js';
import { proxy } from './proxy/proxy.js';
import { Directory } from './routes/directory.js';
import { createLog, followConnections, Log, Metrics, refuseHost } from '@kontor/service-kit';
import { paceOf } from './proxy/body-limit.js';
import { PageProblemFilter, sendRawProblem, sendUnreadable, sendUnroutable } from './send-problem.js';
import { GATEWAY_CONFIG } from './tokens.js';

/** So long a stop waits for requests that are under way. */
const LAST_REQUESTS_MS = 10_000;

@Module({})
class GatewayModule {
  static with(config: GatewayConfig, log: Log): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [DocsController, HealthController],
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        { provide: Log, useValue: log },
        Directory,
        Authenticate,
        RateLimit,
      ],
    };
  }
}

export interface RunningGateway {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Waits until every service has described itself. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the public door. Rejects with the listener's error (`EADDRINUSE`, …) when it cannot listen. */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const log = createLog('api-gateway', config.logLevel, config.logStream);
  const { trustedProxies = 0 } = config;
  const paceMs = paceOf(config);
  const adapter = new FastifyAdapter({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies > 0 && ((_address: string, hop: number) => hop < trustedProxies),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    http: { headersTimeout: paceMs, connectionsCheckingInterval: Math.ceil(paceMs / 3), requireHostHeader: false },
    multipart: false,
    skipMiddie: true,
    frameworkErrors: sendUnroutable,
    clientErrorHandler: sendUnreadable,
  } as never);
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with(config, log), adapter, {
    logger: false,
    bodyParser: false,
  });
  app.useGlobalFilters(new PageProblemFilter());
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const { furtherMetrics = [] } = config;
  const metrics = new Metrics('api-gateway');
  // Of a process that has services, one of these has them.
  if (furtherMetrics.length === 0) metrics.withProcessMetrics();
  observe(fastify, log, metrics);
  fastify.server.on('checkExpectation', ({ socket }: IncomingMessage) => sendRawProblem(socket, 417));
  await fastify.register(fastifyStatic, {
    root: join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static'),
    prefix: '/docs/assets/',
  });
  const directory = app.get(Directory);
  const parts = {
    config,
    directory,
    authenticate: app.get<Authenticate>(Authenticate),
    rateLimit: app.get<RateLimit>(RateLimit),
    bulkheads: new Bulkheads(config),
  };
  await fastify.register((scope) => proxy(scope, parts));
  const endConnections = followConnections(fastify.server);
  limitConnections(fastify.server, trustedProxies > 0 ? Infinity : (config.maxConnectionsPerAddress ?? 1_000));
  await app.init();
  const stopListening = await listen(fastify, config).catch(refuseHost(config.host));
  const metricsServer = config.metricsPort
    ? await serveMetrics([metrics, ...furtherMetrics], config.host, config.metricsPort)
    : undefined;
  void directory.refresh();
  const address = fastify.server.address() as { port: number };
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${address.port}`,
    async ready() {
      while (!directory.complete) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async stop() {
      metricsServer?.close();
      const allEnded = endConnections(LAST_REQUESTS_MS);
      await Promise.all([app.close(), stopListening()]);
      allEnded();
    },
  };
}
