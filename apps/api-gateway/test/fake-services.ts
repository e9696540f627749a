import { type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Principal, SERVICES, type ServiceName } from '@kontor/contracts';
import { INTERNAL_TOKEN_HEADER, InternalTokens, ServiceDirectory } from '@kontor/service-kit';

export const SECRET = 'only-for-tests';
const tokens = new InternalTokens(SECRET);

const accepts = (token: string): boolean => {
  try {
    return Boolean(tokens.verify(token));
  } catch {
    return false;
  }
};

export interface Seen {
  service: string;
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  principal: Principal | undefined;
  bytes: number;
}

interface Known {
  principal: Principal;
  mode: 'live' | 'sandbox';
}

const operation = (operationId: string, permission: string | null) => ({
  operationId,
  'x-permission': permission,
  tags: [permission?.split(':')[0] ?? 'public'],
});

const PATHS: Partial<Record<ServiceName, Record<string, object>>> = {
  billing: {
    '/customers': {
      get: operation('listCustomers', 'customer:read'),
      post: operation('createCustomer', 'customer:write'),
    },
    '/customers/{id}': { get: operation('getCustomer', 'customer:read') },
  },
  usage: {
    '/api/usage-events': { post: operation('ingest', 'usage-event:write') },
    '/api/usage-events/import': { post: operation('importUsageEvents', 'usage-event:write') },
  },
  notifications: { '/dev/mails': { get: operation('devMails', 'operator') } },
  identity: {
    '/oauth2/interaction/{uid}': { post: operation('submitSignIn', null) },
    '/oauth2/token': { post: operation('issueTokens', null) },
    '/oauth2/auth': { get: operation('authorize', null) },
    '/public/account/company/{tenantId}/logout': { post: operation('reportCompanyLogout', null) },
    '/public/users/sign-in': { post: operation('signIn', null) },
    '/api-keys': { post: operation('createApiKey', 'api-key:write') },
  },
  offers: {
    '/public/offers/{token}': { get: operation('publicOffer', null) },
    '/public/checkout/cart/{id}': { get: operation('getPublicCart', null) },
    '/public/checkout/cart/{id}/coupon': { put: operation('setCartCoupon', null) },
    '/public/checkout/cart/{id}/confirm': { put: operation('confirmCart', null) },
    '/public/checkout/carts/{id}': { post: operation('submitCart', null) },
    '/public/cancellation/{tenant}': { post: operation('submitCancellation', null) },
  },
  payments: { '/public/payment/callbacks/{gateway}': { post: operation('receiveCallback', null) } },
  invoicing: { '/api/invoices/{id}/pdf': { post: operation('uploadPdf', 'invoice:write') } },
};

/** Stand-ins for the eight services: they describe themselves, say who called, and count bytes. */
export class FakeServices {
  readonly directory = new ServiceDirectory();
  readonly seen: Seen[] = [];
  /** Tokens that identity knows. */
  readonly known = new Map<string, Known>();
  verifications = 0;
  /** How often services were asked how they are. */
  healthChecks = 0;
  /** What a service says of itself. */
  readonly health = new Map<ServiceName, { status: number; body: object }>();
  /** Holds the answers to that back until it resolves. */
  holdHealth: Promise<void> | undefined;
  /** Holds identity's answers for tokens back until it resolves. */
  beforeVerification: (() => Promise<void>) | undefined;
  /** Holds identity's answer for a token back until it resolves. */
  holdVerification: ((token: string) => Promise<void>) | undefined;
  /** Next answers of /customers, to be slow or strange. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Holds an answer back until it resolves. */
  hold: ((request: IncomingMessage) => Promise<void>) | undefined;
  /** Answers an upload before its body is read. */
  early: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  private readonly servers = new Map<ServiceName, Server[]>();

  static async start(): Promise<FakeServices> {
    const fakes = new FakeServices();
    for (const service of SERVICES) await fakes.add(service);
    return fakes;
  }

  /** One more replica of a service. */
  async add(service: ServiceName): Promise<Server> {
    const server = createServer((request, response) => void this.handle(service, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.directory.set(service, ...this.directory.all(service), url);
    this.servers.set(service, [...(this.servers.get(service) ?? []), server]);
    return server;
  }

  async close(server: Server): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async down(service: ServiceName): Promise<void> {
    for (const server of this.servers.get(service) ?? []) await this.close(server);
  }

  async stop(): Promise<void> {
    for (const service of SERVICES) await this.down(service);
  }

  private async handle(service: ServiceName, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const url = request.url ?? '';
    if (url === '/internal/openapi')
      return json(200, { openapi: '3.1.0', paths: PATHS[service] ?? {}, components: { schemas: {} } });
    const header = request.headers[INTERNAL_TOKEN_HEADER];
    const isTrusted = typeof header === 'string' && accepts(header);
    if (url === '/internal/health' && !isTrusted) return json(503, { status: 'not_trusted' });
    if (url === '/internal/health') {
      this.healthChecks++;
      await this.holdHealth;
      const { status, body } = this.health.get(service) ?? { status: 200, body: { status: 'up' } };
      return json(status, body);
    }
    if (this.early && url.startsWith('/api/usage-events/import')) return this.early(request, response);
    let text = '';
    let bytes = 0;
    try {
      for await (const chunk of request) {
        bytes += (chunk as Buffer).length;
        if (bytes < 10_000) text += String(chunk);
      }
    } catch {
      return void response.destroy();
    }
    if (url === '/internal/tokens/verify') {
      this.verifications++;
      const { token } = JSON.parse(text) as { token: string };
      await this.beforeVerification?.();
      await this.holdVerification?.(token);
      if (!isTrusted) return json(401, { reason: 'not_trusted' });
      const known = this.known.get(token);
      return known ? json(200, { ...known, expiresAt: null }) : json(401, { reason: 'unauthenticated' });
    }
    await this.hold?.(request);
    if (this.answer?.(request, response)) return;
    const seen: Seen = {
      service,
      method: request.method ?? '',
      url,
      headers: request.headers,
      bytes,
      principal: typeof header === 'string' ? tokens.verify(header) : undefined,
    };
    this.seen.push(seen);
    json(request.method === 'POST' ? 201 : 200, { service, url, bytes });
  }
}
