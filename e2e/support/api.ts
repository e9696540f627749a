import { randomUUID } from 'node:crypto';
import { assertDocumented, DocumentedAnswers, eventually as soon } from '@kontor/testing';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/* Bodies are whatever the API answers; a scenario reads what it needs from them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

const MAX_TRIES = 30;

/** What belongs to no operation of the API. */
const BESIDE_THE_API = /^\/(health|docs|openapi\.json|asyncapi\.json)\b/;

let documented: DocumentedAnswers | undefined;

const OF_EACH_SERVICE = ['/tenant', '/customers', '/api/usage-events', '/invoices', '/payment-methods', '/offers'];

/** The document of the first system that this process starts; every other one is of the same sources. */
export async function readDocument(baseUrl: string): Promise<void> {
  documented ??= await soon(async () => {
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object; components: object };
    return OF_EACH_SERVICE.every((path) => path in document.paths) && new DocumentedAnswers(document);
  }, 'the document has the operations of all services');
}

/** What the document does not say of the body of a delivery. */
export const differencesOfEvent = (type: string, body: unknown): string[] =>
  documented?.differencesOfEvent(type, body) ?? ['there is no document'];

/** The answer of `send`, asked for again for as long as it is a 503 that `isPassing` and says when. */
async function asAdvised(
  send: () => Promise<Answer<Json>>,
  isPassing: (answer: Answer<Json>) => boolean,
): Promise<Answer<Json>> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    const seconds = Number(answer.headers.get('retry-after') ?? NaN);
    if (answer.status !== 503 || !isPassing(answer) || Number.isNaN(seconds) || tries === MAX_TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/** A client of the public API that never throws on a status: scenarios look at refusals too. */
export class Api {
  constructor(
    readonly baseUrl: string,
    readonly token: string | undefined,
  ) {}

  /** What a service refuses before it has begun, because the machine does other work, is sent again as it advises. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answer<Json>> {
    return asAdvised(
      () => this.sendOnce(method, path, body, headers, signal),
      (answer) => answer.body?.reason === 'service_overloaded',
    );
  }

  private async sendOnce(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Answer<Json>> {
    const response = await fetch(this.baseUrl + path, {
      method,
      ...(signal ? { signal } : {}),
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    if (documented && !BESIDE_THE_API.test(path)) {
      const contentType = response.headers.get('content-type');
      assertDocumented(documented, { method, path, contentType, status: answer.status, body: answer.body });
    }
    return answer;
  }

  get = (path: string): Promise<Answer<Json>> => this.send('GET', path);
  post = (path: string, body: unknown = {}, headers?: Record<string, string>): Promise<Answer<Json>> =>
    this.send('POST', path, body, headers);
  put = (path: string, body: unknown = {}): Promise<Answer<Json>> => this.send('PUT', path, body);
  patch = (path: string, body: unknown): Promise<Answer<Json>> => this.send('PATCH', path, body);
  delete = (path: string): Promise<Answer<Json>> => this.send('DELETE', path);

  /**
   * The body of an answer that must be a success; else an error that shows request and answer. A part of the system that cannot be
   * reached in time is asked again under the same key, as any client does.
   */
  async ok(method: string, path: string, body?: unknown): Promise<Json> {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const answer = await asAdvised(
      () => this.send(method, path, body, headers),
      () => true,
    );
    if (answer.status >= 300) {
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}\nsent: ${JSON.stringify(body)}`,
      );
    }
    return answer.body;
  }
}

/** What `read` gives as soon as that is something: asks a system again and again, which takes requests of its limit. */
export const eventually = <T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> =>
  soon(read, what, { limitMs: 300_000, pollMs: 50 });
