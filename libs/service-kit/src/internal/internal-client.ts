import type { Principal, ServiceName } from '@kontor/contracts';
import { DomainError, type Violation } from '@kontor/kernel';
import { Agent, request } from 'undici';
import { requestContext } from '../http/request-context.js';
import { kindOfStatus } from '../http/status-of-kind.js';
import { NotTrusted, OutcomeUnknown, ServiceUnavailable } from './errors.js';
import { INTERNAL_TOKEN_HEADER, type InternalTokens } from './internal-token.js';
import type { ServiceDirectory } from './service-directory.js';

export interface CallOptions {
  readonly tenantId: string;
  /** Repeating the call with the same key has one effect. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  /** A replica's address where it must be that one. */
  readonly baseUrl?: string;
}

/** Header in which a service names the actor on whose behalf it calls. */
export const ACTOR_HEADER = 'x-kontor-actor';

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True for a connection's error code that says: the other side has not seen the request. */
export const neverSent = (code: string): boolean => NOT_SENT.has(code);

/** True for a code that says: the other side closed the connection, a kept-alive one maybe, and nobody knows what it has seen. */
export const wasCutOff = (code: string): boolean => code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';

/** True for an error that says: the other side took the request and did not answer in time. */
export const hasTimedOut = ({ code, name }: { code?: unknown; name?: unknown }): boolean =>
  name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';

/** Calls between services: internal HTTP with a service token, answered within two seconds or not at all. */
export class InternalClient {
  private readonly agent = new Agent({ connect: { timeout: 1000 }, keepAliveTimeout: 30_000, connections: 32 });
  private readonly principals = new Map<string, Principal>();

  constructor(
    private readonly self: string,
    private readonly directory: ServiceDirectory,
    private readonly tokens: InternalTokens,
  ) {}

  /**
   * @throws DomainError the other service's refusal, with its status and reason
   * @throws ServiceUnavailable it has not seen the call, or does not know us
   * @throws OutcomeUnknown it may have: ask again with the same idempotency key
   */
  async call<T>(
    service: ServiceName,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<T> {
    const { status, bytes } = await this.exchange(service, method, path, body, options);
    const text = bytes.toString();
    if (status >= 500) {
      // An overloaded service says that it has done nothing.
      const isUntouched = method === 'GET' || text.includes('"service_overloaded"');
      throw isUntouched ? new ServiceUnavailable(service) : new OutcomeUnknown(service, new Error(`status ${status}`));
    }
    if (status === 401) throw new NotTrusted(service);
    const answer = text === '' ? undefined : readAnswer(service, method, text);
    if (status >= 400) throw refusal(status, answer as Partial<ProblemAnswer>);
    return answer as T;
  }

  /** Bytes of an internal GET, such as a file. Errors as in `call`. */
  async bytes(service: ServiceName, path: string, options: CallOptions): Promise<Buffer> {
    const { status, bytes } = await this.exchange(service, 'GET', path, null, { timeoutMs: 10_000, ...options });
    if (status >= 500) throw new ServiceUnavailable(service);
    if (status === 401) throw new NotTrusted(service);
    if (status >= 400) throw refusal(status, readAnswer(service, 'GET', bytes.toString()) as Partial<ProblemAnswer>);
    return bytes;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(
    service: ServiceName,
    method: string,
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<{ status: number; bytes: Buffer }> {
    const headers: Record<string, string> = this.headers(options);
    const payload = body === undefined || body === null ? null : JSON.stringify(body);
    if (payload !== null) headers['content-type'] = 'application/json';
    const refused = new Set<string>();
    for (let resets = 0; ;) {
      const base = options.baseUrl ?? this.directory.pick(service, refused);
      const end = this.directory.enter(base);
      try {
        const signal = AbortSignal.timeout(options.timeoutMs ?? 2000);
        const response = await request(base + path, {
          dispatcher: this.agent,
          method: method as 'GET',
          signal,
          headers,
          body: payload,
        });
        return { status: response.statusCode, bytes: Buffer.from(await response.body.arrayBuffer()) };
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (hasTimedOut(error as Error)) this.directory.timedOut(base);
        if (neverSent(code)) {
          this.directory.refused(base);
          // Another replica may take it: this one has seen nothing.
          if (options.baseUrl === undefined && this.directory.all(service).length > refused.add(base).size) continue;
          throw new ServiceUnavailable(service, error);
        }
        if (method !== 'GET') throw new OutcomeUnknown(service, error);
        // A kept-alive connection that the other side closed meanwhile; reading again does no harm.
        if (resets++ === 0 && wasCutOff(code)) continue;
        throw new ServiceUnavailable(service, error);
      } finally {
        end();
      }
    }
  }

  private headers(options: CallOptions): Record<string, string> {
    const context = requestContext();
    return {
      [INTERNAL_TOKEN_HEADER]: this.tokens.sign(this.principal(options.tenantId)),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      ...(context ? { 'x-request-id': context.requestId, traceparent: context.traceparent } : {}),
      ...(context?.actor ? { [ACTOR_HEADER]: Buffer.from(JSON.stringify(context.actor)).toString('base64url') } : {}),
    };
  }

  /** One object per tenant, so that its signed token is made once a while only. */
  private principal(tenantId: string): Principal {
    const known = this.principals.get(tenantId);
    if (known) return known;
    if (this.principals.size > 10_000) this.principals.clear();
    const principal: Principal = { tenantId, kind: 'service', subjectId: this.self, permissions: [], scopes: [] };
    this.principals.set(tenantId, principal);
    return principal;
  }
}

/** What is no JSON was not answered by the service: something on the way to it did, or only a part of its answer has come. */
function readAnswer(service: ServiceName, method: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw method === 'GET' ? new ServiceUnavailable(service, error) : new OutcomeUnknown(service, error);
  }
}

interface ProblemAnswer {
  reason: string;
  detail: string;
  violations: Violation[];
}

const refusal = (status: number, answer: Partial<ProblemAnswer> | undefined): DomainError =>
  new DomainError(answer?.reason ?? 'refused', {
    kind: kindOfStatus(status),
    detail: answer?.detail,
    violations: answer?.violations,
  });
