import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceDirectory } from '@kontor/service-kit';

/** Answers since when usage is still to be billed, as billing would. */
export class BillingStandIn {
  readonly directory = new ServiceDirectory();
  /** Away: connections end without an answer. */
  isAway = false;
  since: string | null = null;
  private readonly server = createServer((request, response) => this.answer(request, response));

  static async start(): Promise<BillingStandIn> {
    const billing = new BillingStandIn();
    await new Promise<void>((resolve) => billing.server.listen(0, '127.0.0.1', resolve));
    billing.directory.set('billing', `http://127.0.0.1:${(billing.server.address() as AddressInfo).port}`);
    return billing;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isAway) return void request.destroy();
    if (request.method !== 'GET' || request.url !== '/internal/unbilled-usage')
      return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ since: this.since }));
  }
}
