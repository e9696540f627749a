import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceDirectory } from '@kontor/service-kit';

/** Before it has done what it is asked, or after, before it answers. */
export type Moment = 'before' | 'after';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Record<string, unknown>;
  readonly idempotencyKey: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** Which part of the request it is about. */
  readonly propertyPath?: string;
}

/** Answers what billing, payments and invoicing would, and notes what they were asked. */
export class BillingStandIn {
  readonly directory = new ServiceDirectory();
  readonly asked: Asked[] = [];
  /** Away: connections end without an answer. */
  isAway = false;
  /** Refuses what is asked next, by the path's end. */
  refusal: Refusal | null = null;
  /** What it refuses of all that it is asked; null: nothing. */
  refuses: (asked: Asked) => Refusal | null = () => null;
  answers: (asked: Asked) => unknown = () => ({});
  /** What it waits for at a moment. */
  pause: (asked: Asked, moment: Moment) => Promise<void> | undefined = () => undefined;
  /** Price plans and plans that were archived, by id. */
  readonly archived = new Set<string>();
  /** What there is not, or not for everybody. */
  readonly missing = new Set<string>();
  /** In another currency than EUR. */
  readonly inDollars = new Set<string>();
  /** What payments offers to buyers. */
  offered: unknown = { gateways: ['bank_transfer', 'testing', 'fake_provider'], mandate: null };
  /** How far payments is with a first invoice. */
  step: { state: string; link: string | null } = { state: 'open', link: null };
  /** The same by what is asked, where it is not the same for all. */
  stepOf: (asked: Asked) => { state: string; link: string | null } = () => this.step;
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
      path: (request.url ?? '').split('?', 1)[0]!,
      query: (request.url ?? '').split('?')[1] ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
    };
    await this.pause(asked, 'before');
    // Who asked has died meanwhile, and nothing of it was heard.
    if (response.destroyed) return;
    this.asked.push(asked);
    const { status, body } = this.answerTo(asked);
    await this.pause(asked, 'after');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private onSale({ pricePlans, plans }: Record<string, unknown>): object[] {
    const ids = [...(pricePlans as string[]), ...(plans as string[])].filter((id) => !this.missing.has(id));
    return ids.map((id) => ({
      id,
      isActive: !this.archived.has(id),
      currencyCodes: [this.inDollars.has(id) ? 'USD' : 'EUR'],
    }));
  }

  private answerTo(asked: Asked): { status: number; body: unknown } {
    const refusal = this.refusal ?? this.refuses(asked);
    if (refusal) return { status: refusal.status, body: problemOf(refusal) };
    if (asked.method === 'GET' && asked.path === '/internal/checkout-methods')
      return { status: 200, body: this.offered };
    if (asked.path === '/internal/payer-pages') return { status: 200, body: this.stepOf(asked) };
    if (asked.path === '/internal/sales/on-sale') return { status: 200, body: { data: this.onSale(asked.body) } };
    if (asked.path === '/internal/papers') return { status: 200, body: { pdf: paperOf(asked.body) } };
    return { status: 200, body: this.answers(asked) };
  }
}

const problemOf = ({ reason, propertyPath }: Refusal): object => ({
  reason,
  detail: reason,
  ...(propertyPath && { violations: [{ propertyPath, message: reason, code: reason }] }),
});

/** Not a whole file, but one that shows what was asked for. */
const paperOf = (request: Record<string, unknown>): string =>
  Buffer.from(`%PDF-1.7\n${JSON.stringify(request)}\n%%EOF`).toString('base64');
