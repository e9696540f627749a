import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SERVICES, type ServiceName } from '@kontor/contracts';
import { request } from 'undici';
import type { GatewayConfig } from '../config.js';
import { GATEWAY_CONFIG } from '../tokens.js';
import { mergeDocuments, type OpenApiDocument, routesOf } from './merge-documents.js';
import { RouteTable } from './route-table.js';

const WHILE_MISSING_MS = 100;
const REFRESH_MS = 30_000;

/**
 * Knows every public operation from the services' own descriptions. A service that is down keeps the routes it last had, so its
 * operations answer 503 and not 404.
 */
@Injectable()
export class Directory implements OnModuleDestroy {
  /** As they came: as objects they would take several times as much. */
  private readonly parts = new Map<ServiceName, string>();
  private table = new RouteTable();
  private written: Buffer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  get routes(): RouteTable {
    return this.table;
  }

  /** The merged document, made when it is first asked for, and once: it has megabytes, and anybody may ask for it. */
  get document(): Buffer {
    return (this.written ??= Buffer.from(JSON.stringify(mergeDocuments(this.parsed()))));
  }

  /** True once every service has described itself. */
  get complete(): boolean {
    return this.parts.size === SERVICES.length;
  }

  /** Reads all descriptions now and keeps on reading: often while one is missing, then now and then. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const wanted = this.complete ? SERVICES : SERVICES.filter((service) => !this.parts.has(service));
    const found = await Promise.all(wanted.map(async (service) => [service, await this.read(service)] as const));
    let changed = false;
    for (const [service, part] of found) {
      if (part === undefined || part === this.parts.get(service)) continue;
      this.parts.set(service, part);
      changed = true;
    }
    if (changed) {
      this.table = routesOf(this.parsed());
      this.written = undefined;
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.refresh(), this.complete ? REFRESH_MS : WHILE_MISSING_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private parsed(): Map<ServiceName, OpenApiDocument> {
    return new Map([...this.parts].map(([service, text]) => [service, JSON.parse(text) as OpenApiDocument]));
  }

  /** What a service says of itself; undefined when it says nothing, or no JSON. */
  private async read(service: ServiceName): Promise<string | undefined> {
    try {
      const answer = await request(`${this.config.services.pick(service)}/internal/openapi`, {
        headersTimeout: 5_000,
        bodyTimeout: 5_000,
      });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        return undefined;
      }
      const text = await answer.body.text();
      if (text !== this.parts.get(service)) JSON.parse(text);
      return text;
    } catch {
      return undefined;
    }
  }
}
