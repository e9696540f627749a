import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { Json } from './api.js';

export interface Delivery {
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: Json;
}

/** A webhook receiver on loopback: keeps what arrives, answers what `answer` says (200 by default). */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  answer: (delivery: Delivery) => number = () => 200;

  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const delivery = {
          type: String(request.headers['x-webhook-event']),
          headers: request.headers,
          raw,
          body: JSON.parse(raw.toString('utf8')),
        };
        receiver.deliveries.push(delivery);
        response.writeHead(receiver.answer(delivery)).end();
      });
    });
    return receiver;
  }

  types(): string[] {
    return this.deliveries.map((delivery) => delivery.type);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Lower-case hex HMAC-SHA256 of the raw body, keyed with the whole secret. @see docs/rules/webhooks.md#signature */
export function signatureIsValid(delivery: Delivery, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(delivery.raw).digest('hex'));
  const actual = Buffer.from(String(delivery.headers['x-webhook-signature']));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
