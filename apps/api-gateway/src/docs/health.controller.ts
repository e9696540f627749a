import { Controller, Get, Inject, Res } from '@nestjs/common';
import { SERVICES, type ServiceName } from '@kontor/contracts';
import type { FastifyReply } from 'fastify';
import { request } from 'undici';
import type { GatewayConfig } from '../config.js';
import { Directory } from '../routes/directory.js';
import { GATEWAY_CONFIG } from '../tokens.js';

const LIMIT_MS = 2_000;

const BEST_FIRST = ['ready', 'read_only', 'not_ready', 'unreachable'] as const;
type State = (typeof BEST_FIRST)[number];
type States = readonly (readonly [ServiceName, State])[];

/**
 * `GET /health`: 200 when every service is ready and known, else 503; each one's state either way. `read_only`: the storage is
 * full, reading goes on.
 */
@Controller('health')
export class HealthController {
  /** Being asked: who asks meanwhile waits for the same answers, so that a flood here is none at the services. */
  private asking: Promise<States> | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly directory: Directory,
  ) {}

  @Get()
  async health(@Res({ passthrough: true }) reply: FastifyReply): Promise<Record<string, unknown>> {
    const states = await (this.asking ??= this.ask().finally(() => (this.asking = undefined)));
    const reads = states.every(([, state]) => state === 'ready' || state === 'read_only');
    const ready = this.directory.complete && reads;
    const writes = states.every(([, state]) => state === 'ready');
    void reply.status(ready ? 200 : 503);
    return { status: !ready ? 'unavailable' : writes ? 'ready' : 'read_only', services: Object.fromEntries(states) };
  }

  private ask(): Promise<States> {
    return Promise.all(SERVICES.map(async (service) => [service, await this.stateOf(service)] as const));
  }

  /** That of its best replica: what is asked of the service goes there. */
  private async stateOf(service: ServiceName): Promise<State> {
    const states = await Promise.all(this.config.services.all(service).map((url) => this.stateAt(url)));
    return BEST_FIRST.find((state) => states.includes(state)) ?? 'unreachable';
  }

  private async stateAt(url: string): Promise<State> {
    try {
      const { statusCode, body } = await request(`${url}/internal/health`, {
        headersTimeout: LIMIT_MS,
        bodyTimeout: LIMIT_MS,
      });
      const { checks } = (await body.json()) as { checks?: { storage?: string } };
      if (statusCode !== 200) return 'not_ready';
      return checks?.storage === 'full' ? 'read_only' : 'ready';
    } catch {
      return 'unreachable';
    }
  }
}
