import { Controller, Get, Inject, Res } from '@nestjs/common';
import { SERVICES, type ServiceName } from '@kontor/contracts';
import { INTERNAL_TOKEN_HEADER } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { request } from 'undici';
import { Authenticate } from '../auth/authenticate.js';
import type { GatewayConfig } from '../config.js';
import { Directory } from '../routes/directory.js';
import { GATEWAY_CONFIG } from '../tokens.js';

const LIMIT_MS = 2_000;

interface Health {
  readonly status?: string;
  readonly checks?: { readonly database?: string; readonly storage?: string };
}

/** From bad to good. */
const STATES = ['unreachable', 'not_ready', 'read_only', 'degraded', 'ready'] as const;
type State = (typeof STATES)[number];
type States = readonly (readonly [ServiceName, State])[];

const worst = (states: readonly State[]): State | undefined => STATES.find((state) => states.includes(state));
const answers = (state: State): boolean => state !== 'unreachable' && state !== 'not_ready';

/**
 * `GET /health`: 200 when every service answers requests and is known, else 503; each one's state either way. `read_only`: the storage is
 * full, or a database only reads. `degraded`: requests are answered, and events wait or were put aside, due work fails, or another replica
 * of the service does not answer. Each is asked with our token: one that does not accept it refuses every caller whom we name.
 */
@Controller('health')
export class HealthController {
  /** Being asked: who asks meanwhile waits for the same answers, so that a flood here is none at the services. */
  private asking: Promise<States> | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly directory: Directory,
    private readonly authenticate: Authenticate,
  ) {}

  @Get()
  async health(@Res({ passthrough: true }) reply: FastifyReply): Promise<Record<string, unknown>> {
    const states = await (this.asking ??= this.ask().finally(() => (this.asking = undefined)));
    const state = worst(states.map(([, state]) => state)) ?? 'ready';
    const answering = this.directory.complete && answers(state);
    void reply.status(answering ? 200 : 503);
    return { status: answering ? state : 'unavailable', services: Object.fromEntries(states) };
  }

  private ask(): Promise<States> {
    return Promise.all(SERVICES.map(async (service) => [service, await this.stateOf(service)] as const));
  }

  /** One of its replicas is enough to answer; what is wrong with the others shows all the same. */
  private async stateOf(service: ServiceName): Promise<State> {
    const replicas = await Promise.all(this.config.services.all(service).map((url) => this.stateAt(url)));
    const answering = replicas.filter(answers);
    if (answering.length === 0) return replicas.includes('not_ready') ? 'not_ready' : 'unreachable';
    return worst(answering.length < replicas.length ? [...answering, 'degraded'] : answering)!;
  }

  private async stateAt(url: string): Promise<State> {
    try {
      const { statusCode, body } = await request(`${url}/internal/health`, {
        headers: { [INTERNAL_TOKEN_HEADER]: this.authenticate.ownToken() },
        headersTimeout: LIMIT_MS,
        bodyTimeout: LIMIT_MS,
      });
      const { status, checks } = (await body.json()) as Health;
      if (statusCode !== 200) return 'not_ready';
      if (checks?.storage === 'full' || checks?.database === 'read_only') return 'read_only';
      return status === 'degraded' ? 'degraded' : 'ready';
    } catch {
      return 'unreachable';
    }
  }
}
