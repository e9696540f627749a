import { Get, Header, HttpCode, Inject, Res } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Database } from '@kontor/persistence';
import type { FastifyReply } from 'fastify';
import { ServiceConfig } from '../config/service-config.js';
import { OpenInternal } from '../internal/internal.js';
import { Metrics, METRICS_TYPE } from '../observability/metrics.js';
import { type OpenApiDocument, openApiDocument } from '../openapi/openapi-document.js';
import { ServiceState } from './service-state.js';

/** `GET /internal/health`: 200 when this service can work; `storage` says `full` while it only reads. */
@OpenInternal('health')
export class HealthController {
  constructor(
    private readonly config: ServiceConfig,
    private readonly database: Database,
    private readonly state: ServiceState,
  ) {}

  @Get()
  async health(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const database = await this.databaseAnswers();
    const ok = database && this.state.ready;
    void reply.status(ok ? 200 : 503);
    return {
      service: this.config.serviceName,
      status: ok ? 'up' : this.state.ready ? 'down' : 'starting',
      checks: { database: database ? 'up' : 'down', storage: this.database.storage.isFull ? 'full' : 'ok' },
    };
  }

  private async databaseAnswers(): Promise<boolean> {
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1500).unref());
    return Promise.race([
      this.database.pool.query('SELECT 1').then(
        () => true,
        () => false,
      ),
      late,
    ]);
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
