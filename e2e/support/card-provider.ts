import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './api.js';

const SECRET = 'whsec_e2e';

/** One charge that was asked for, as the provider keeps it. */
export interface Charge {
  readonly id: string;
  readonly key: string;
  readonly metadata: { kontor_tenant: string; kontor_transaction: string };
}

/** A card provider on loopback that speaks as much of Stripe's API as a payment needs, and knows its idempotency keys. */
export class CardProvider {
  readonly charges = new Map<string, Charge>();
  /** How often a charge was asked for, repeats included. */
  asked = 0;
  /** Before a charge is answered; false: it never is, although the money was collected. */
  whenCharged: (charge: Charge) => Promise<boolean> = () => Promise.resolve(true);
  private methods = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<CardProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new CardProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void provider.answer(request, new URLSearchParams(Buffer.concat(chunks).toString())).then((body) => {
          if (body === null) request.socket.destroy();
          else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        });
      });
    });
    return provider;
  }

  get env(): Record<string, string> {
    return { STRIPE_SECRET_KEY: 'sk_test_e2e', STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_API_BASE: this.url };
  }

  /** Reports that a charge succeeded, `times` times at once; each second time under the same event. Gives the statuses. */
  callBack(baseUrl: string, charge: Charge, times: number): Promise<number[]> {
    return Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const id = n % 2 === 0 ? `evt_${charge.id}` : `evt_${charge.id}_${n}`;
        const body = JSON.stringify({ id, type: 'payment_intent.succeeded', data: { object: succeeded(charge) } });
        const at = Math.floor(Date.now() / 1000);
        const signature = createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex');
        const response = await fetch(`${baseUrl}/public/payment/callbacks/card_provider`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
          body,
        });
        return response.status;
      }),
    );
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer({ method, url = '', headers }: IncomingMessage, form: URLSearchParams): Promise<Json> {
    if (url.startsWith('/v1/customers')) return { id: 'cus_1' };
    if (url.startsWith('/v1/setup_intents')) {
      const card = { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2040 };
      return { id: `seti_${++this.methods}`, status: 'succeeded', payment_method: { id: `pm_${this.methods}`, card } };
    }
    if (url.startsWith('/v1/payment_methods/')) return { customer: 'cus_1' };
    if (method === 'GET') return { data: [] };
    this.asked += 1;
    const key = String(headers['idempotency-key']);
    const metadata = {
      kontor_tenant: form.get('metadata[kontor_tenant]')!,
      kontor_transaction: form.get('metadata[kontor_transaction]')!,
    };
    const charge = this.charges.get(key) ?? { id: `pi_${key}`, key, metadata };
    this.charges.set(key, charge);
    return (await this.whenCharged(charge)) ? succeeded(charge) : null;
  }
}

const succeeded = ({ id, metadata }: Charge): Json => ({ id, status: 'succeeded', metadata });
