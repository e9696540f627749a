import { Injectable } from '@nestjs/common';
import { type Agent, request } from 'undici';
import { type AttemptResult, errorOfStatus } from '../domain/deliveries/outcome.js';
import { guardedAgent, type Reach, refusalOfAddress } from '@kontor/service-kit';

export const ATTEMPT_TIMEOUT_MS = 15_000;
/** As much of an answer is read so that its connection can be used again; receivers have nothing more to say. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** And it is waited for so long: then the connection is closed, because a lane that went on would open more and more of them. */
const ANSWER_PATIENCE_MS = 1_000;

export interface Attempt {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly reach: Reach;
}

const agentFor = (reach: Reach): Agent =>
  guardedAgent(reach, {
    connectTimeoutMs: 5_000,
    keepAliveTimeout: 4_000,
    headersTimeout: ATTEMPT_TIMEOUT_MS,
    bodyTimeout: ATTEMPT_TIMEOUT_MS,
  });

/** Sends one delivery over HTTP. Never inside a transaction. */
@Injectable()
export class AttemptDelivery {
  private readonly agents: Record<Reach, Agent> = { public: agentFor('public'), sandbox: agentFor('sandbox') };
  private readonly stopping = new AbortController();

  /** The status is the answer, whatever becomes of its body; when this ends, the connection is free or closed. */
  async execute({ url, headers, body, reach }: Attempt): Promise<AttemptResult> {
    const at = new Date();
    const begun = performance.now();
    const took = (): number => Math.round(performance.now() - begun);
    const refusal = refusalOfAddress(url, reach);
    if (refusal !== null) return { at, responseStatus: null, durationMs: 0, error: `address not allowed: ${refusal}` };
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_TIMEOUT_MS), this.stopping.signal]);
    try {
      const response = await request(url, { method: 'POST', headers, body, dispatcher: this.agents[reach], signal });
      const durationMs = took();
      const patience = AbortSignal.any([AbortSignal.timeout(ANSWER_PATIENCE_MS), this.stopping.signal]);
      await response.body.dump({ limit: MAX_ANSWER_BYTES, signal: patience }).catch(() => undefined);
      return { at, responseStatus: response.statusCode, durationMs, error: errorOfStatus(response.statusCode) };
    } catch (error) {
      return { at, responseStatus: null, durationMs: took(), error: describe(error) };
    }
  }

  /** True once the process stops: an attempt that ended then says nothing about its receiver. */
  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Cuts attempts that still run. */
  abort(): void {
    this.stopping.abort(new Error('the service stops'));
  }

  /** Ends all connections; the dispatcher calls it last. */
  async close(): Promise<void> {
    this.abort();
    await Promise.all(Object.values(this.agents).map((agent) => agent.destroy()));
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  UND_ERR_SOCKET: 'connection closed',
  UND_ERR_CONNECT_TIMEOUT: 'time-out while connecting',
  UND_ERR_HEADERS_TIMEOUT: 'time-out',
  UND_ERR_ABORTED: 'time-out',
  ETIMEDOUT: 'time-out while connecting',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'host not reachable',
  EPIPE: 'connection closed',
};
/** Prefixes of codes: what they are of is enough for whoever mends the receiver. */
const KINDS: readonly [RegExp, string][] = [
  [/^HPE_|^UND_ERR_RES/, 'not an HTTP answer'],
  [/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$|SELF_SIGNED/, 'TLS failed: the certificate or protocol is not accepted'],
];

/** In words of ours: messages of errors name addresses and files of this machine, and they are shown to the tenant. */
function describe(error: unknown): string {
  const { name, code = '', cause } = error as { name?: string; code?: string; cause?: unknown };
  if (name === 'TimeoutError') return 'time-out';
  if (name === 'AddressRefused') return 'address not allowed';
  if (name === 'HTTPParserError') return 'not an HTTP answer';
  if (cause && !code) return describe(cause);
  return WORDS[code] ?? KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed';
}
