import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

type Answer = { readonly status?: number; readonly body: unknown } | 'hangs up' | 'waits';

/** A provider on this machine that answers what the test says, and keeps what it was asked. */
export class Provider {
  readonly asked: Asked[] = [];
  /** The first whose key ("POST /v1/refunds") begins the request answers it. */
  answers: Record<string, (asked: Asked) => Answer> = {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Provider> {
    const holder: { self?: Provider } = {};
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        const answer = holder.self!.answer(asked);
        if (answer === 'waits') return;
        if (answer === 'hangs up') return void request.socket.destroy();
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    holder.self = new Provider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return holder.self;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** On whoever is connected. */
  hangUp(): void {
    this.server.closeAllConnections();
  }

  reset(answers: Record<string, (asked: Asked) => Answer>): void {
    this.asked.length = 0;
    this.answers = answers;
  }

  /** The last request whose line begins so; a form's fields are read as they are written. */
  last(line: string): Asked & { readonly form: Record<string, string> } {
    const found = this.asked.filter((asked) => `${asked.method} ${asked.path}`.startsWith(line)).at(-1);
    if (!found)
      throw new Error(
        `${line} was not asked: ${this.asked.map((asked) => `${asked.method} ${asked.path}`).join(', ')}`,
      );
    return { ...found, form: Object.fromEntries(new URLSearchParams(found.body)) };
  }

  private answer(asked: Asked): Answer {
    this.asked.push(asked);
    const key = Object.keys(this.answers).find((line) => `${asked.method} ${asked.path}`.startsWith(line));
    return key === undefined
      ? { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }
      : this.answers[key]!(asked);
  }
}
