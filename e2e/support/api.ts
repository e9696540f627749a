import { randomUUID } from 'node:crypto';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/* Bodies are whatever the API answers; a scenario reads what it needs from them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** A client of the public API that never throws on a status: scenarios look at refusals too. */
export class Api {
  constructor(
    readonly baseUrl: string,
    readonly token: string | undefined,
  ) {}

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<Json>> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  get = (path: string): Promise<Answer<Json>> => this.send('GET', path);
  post = (path: string, body: unknown = {}, headers?: Record<string, string>): Promise<Answer<Json>> =>
    this.send('POST', path, body, headers);
  put = (path: string, body: unknown = {}): Promise<Answer<Json>> => this.send('PUT', path, body);
  patch = (path: string, body: unknown): Promise<Answer<Json>> => this.send('PATCH', path, body);
  delete = (path: string): Promise<Answer<Json>> => this.send('DELETE', path);

  /** The body of an answer that must be a success; else an error that shows request and answer. */
  async ok(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Json> {
    const answer = await this.send(method, path, body, method === 'POST' ? { 'idempotency-key': randomUUID() } : {});
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}\nsent: ${JSON.stringify(body)}`);
    }
    return answer.body;
  }
}

/** Asks until `read` gives something other than undefined or false; fails after `timeoutMs` with `what`. */
export async function eventually<T>(what: string, read: () => Promise<T | undefined | false>, timeoutMs = 20_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
