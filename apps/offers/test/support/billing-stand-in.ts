import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceDirectory } from '@kontor/service-kit';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Answers what billing, payments and invoicing would, and notes what they were asked. */
export class BillingStandIn {
  readonly directory = new ServiceDirectory();
  readonly asked: Asked[] = [];
  /** Away: connections end without an answer. */
  isAway = false;
  /** Refuses what is asked next, by the path's end. */
  refusal: { readonly status: number; readonly reason: string } | null = null;
  /** What it refuses of all that it is asked; null: nothing. */
  refuses: (asked: Asked) => { readonly status: number; readonly reason: string } | null = () => null;
  answers: (asked: Asked) => unknown = () => ({});
  /** What payments offers to buyers. */
  offered: unknown = { gateways: ['bank_transfer', 'testing', 'fake_provider'], mandate: null };
  /** How far payments is with a first invoice. */
  step: { state: string; link: string | null } = { state: 'open', link: null };
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<BillingStandIn> {
    const billing = new BillingStandIn();
    await new Promise<void>((resolve) => billing.server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(billing.server.address() as AddressInfo).port}`;
    billing.directory.set('billing', url);
    billing.directory.set('payments', url);
    billing.directory.set('invoicing', url);
    return billing;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What was asked about a sale. */
  of(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path.includes(path));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) return void request.destroy();
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    this.asked.push(asked);
    const say = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refusal = this.refusal ?? this.refuses(asked);
    if (refusal) say(refusal.status, { reason: refusal.reason, detail: refusal.reason });
    else if (asked.path === '/internal/checkout-methods') say(200, this.offered);
    else if (asked.path === '/internal/payer-pages') say(200, this.step);
    else if (asked.path === '/internal/papers') say(200, { pdf: paperOf(asked.body) });
    else say(200, this.answers(asked));
  }
}

/** Not a whole file, but one that shows what was asked for. */
const paperOf = (request: Record<string, unknown>): string =>
  Buffer.from(`%PDF-1.7\n${JSON.stringify(request)}\n%%EOF`).toString('base64');
