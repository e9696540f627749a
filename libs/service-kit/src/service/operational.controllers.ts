import { Get, Header, Headers, HttpCode, Inject, Res } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Messaging } from '@kontor/messaging';
import { Database, databaseAnswer } from '@kontor/persistence';
import type { FastifyReply } from 'fastify';
import { ServiceConfig } from '../config/service-config.js';
import { OpenInternal } from '../internal/internal.js';
import { INTERNAL_TOKEN_HEADER, InternalTokens } from '../internal/internal-token.js';
import { Metrics, METRICS_TYPE } from '../observability/metrics.js';
import { type OpenApiDocument, openApiDocument } from '../openapi/openapi-document.js';
import { OperatorWatch } from './operator-watch.js';
import { ServiceState } from './service-state.js';

/** Less than whoever asks waits. */
const PATIENCE_MS = 1_500;

/**
 * `GET /internal/health`: 200 when this service can answer requests; `storage` says `full`, or `database` says `read_only`, while it only
 * reads. `degraded`: events wait in its outbox or before its consumers (`waiting` says where, since when and why), some were put aside
 * (`parked`), or due work fails again and again (`failing`). Requests need none of that, so that nothing is taken out of service.
 * Who asks with a token that is not accepted here gets 503 `not_trusted`: it could call nothing else.
 */
@OpenInternal('health')
export class HealthController {
  constructor(
    private readonly config: ServiceConfig,
    private readonly database: Database,
    private readonly state: ServiceState,
    private readonly messaging: Messaging,
    private readonly operatorWatch: OperatorWatch,
    private readonly tokens: InternalTokens,
  ) {}

  @Get()
  async health(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(INTERNAL_TOKEN_HEADER) token?: string,
  ): Promise<object> {
    const [database, { parked, failing }] = await Promise.all([
      databaseAnswer(this.database.pool, PATIENCE_MS),
      this.operatorWatch.look(),
    ]);
    const waiting = this.messaging.stalls();
    const isDegraded = [waiting, parked, failing].some(({ length }) => length > 0);
    const isTrusted = token === undefined || this.accepts(token);
    const ok = database !== 'down' && this.state.ready && isTrusted;
    void reply.status(ok ? 200 : 503);
    return {
      service: this.config.serviceName,
      status: ok ? (isDegraded ? 'degraded' : 'up') : isTrusted ? this.statusWithout() : 'not_trusted',
      checks: {
        database,
        storage: this.database.storage.isFull ? 'full' : 'ok',
        events: waiting.length > 0 ? 'waiting' : parked.length > 0 ? 'parked' : 'ok',
        work: failing.length > 0 ? 'failing' : 'ok',
      },
      ...(waiting.length > 0 && { waiting }),
      ...(parked.length > 0 && { parked }),
      ...(failing.length > 0 && { failing }),
    };
  }

  private accepts(token: string): boolean {
    try {
      this.tokens.verify(token);
      return true;
    } catch {
      return false;
    }
  }

  private statusWithout(): string {
    if (this.state.stopping) return 'stopping';
    return this.state.ready ? 'down' : 'starting';
  }
}

/** `GET /internal/metrics` in Prometheus' text format. */
@OpenInternal('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @HttpCode(200)
  @Header('content-type', METRICS_TYPE)
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}

/** `GET /internal/openapi`: this service's part of the document, made when first asked for. */
@OpenInternal('openapi')
export class OpenApiController {
  /** As it is sent: the gateway asks again and again, and its objects would take several times as much. */
  private document: Buffer | undefined;

  constructor(
    private readonly config: ServiceConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  read(): Buffer {
    return (this.document ??= Buffer.from(JSON.stringify(this.describe())));
  }

  private describe(): OpenApiDocument {
    const controllers = [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].map((wrapper) => wrapper.metatype as Function),
    );
    return openApiDocument(this.config.serviceName, [...new Set(controllers)]);
  }
}
