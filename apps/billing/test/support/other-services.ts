import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceDirectory } from '@kontor/service-kit';

export interface AskedToRelease {
  readonly customerId: string;
  readonly version: number;
}

/** The services that keep objects of customers, as one: what they answer before a customer is deleted. */
export class OtherServices {
  static readonly NAMES = ['invoicing', 'payments', 'usage', 'offers'] as const;
  readonly directory = new ServiceDirectory();
  readonly released: AskedToRelease[] = [];
  /** What refers to any customer. */
  references: string[] = [];
  /** What refers to one that is released; null: no answer. */
  onRelease: (asked: AskedToRelease) => Promise<string[] | null> | string[] | null = () => [];
  private server: Server | undefined;

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const name of OtherServices.NAMES) this.directory.set(name, url);
    this.server = server;
    return this;
  }

  reset(): void {
    this.released.length = 0;
    this.references = [];
    this.onRelease = () => [];
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const answer = await this.bodyOf(request.url ?? '', text === '' ? {} : JSON.parse(text));
    if (answer === null) response.writeHead(500).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private async bodyOf(url: string, body: { version?: number; copies?: unknown[] }): Promise<object | null> {
    if (url.startsWith('/internal/copies')) return { copied: (body.copies ?? []).map(() => true) };
    if (url.endsWith('/references')) return { references: this.references };
    const [, customerId = ''] = /^\/internal\/customers\/([^/]+)\/release$/.exec(url) ?? [];
    const asked = { customerId, version: body.version ?? 0 };
    this.released.push(asked);
    const references = await this.onRelease(asked);
    return references && { references };
  }
}
