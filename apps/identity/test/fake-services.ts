import { createServer, type Server } from 'node:http';
import { type ClockProgress, SERVICES, type ServiceName } from '@kontor/contracts';
import { ServiceDirectory } from '@kontor/service-kit';

/** The other services' answers about a tenant's clock: due times that a test scripts, and counters that it overrides. */
export class FakeServices {
  readonly directory = new ServiceDirectory();
  now = '';
  /** Due times, by service; running it adds it to `done`. */
  readonly due = new Map<ServiceName, string[]>();
  readonly done: string[] = [];
  readonly bend = new Map<ServiceName, Partial<ClockProgress>>();
  readonly failing = new Set<ServiceName>();
  readonly away = new Set<ServiceName>();
  /** Whose next answer is lost, after it has done what it was asked for. */
  readonly lost = new Set<ServiceName>();
  onRun: (service: ServiceName, at: string) => void = () => undefined;
  private readonly servers: Server[] = [];

  static async start(except: ServiceName): Promise<FakeServices> {
    const fakes = new FakeServices();
    for (const service of SERVICES) if (service !== except) await fakes.listen(service);
    return fakes;
  }

  stop(): void {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  private async listen(service: ServiceName): Promise<void> {
    const server = createServer((request, response) => {
      if (this.away.has(service)) return void response.destroy();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>) : {};
        const path = request.url ?? '';
        const answer = path.includes('/internal/clock/')
          ? this.clock(service, request.method ?? '', path, body)
          : { copied: true, items: [], tenants: [] };
        if (this.lost.delete(service)) return void response.destroy();
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.servers.push(server);
    this.directory.set(service, `http://127.0.0.1:${(server.address() as { port: number }).port}`);
  }

  private clock(service: ServiceName, method: string, path: string, body: Record<string, string>): unknown {
    if (method === 'PUT') return ((this.now = body['now'] ?? ''), { now: this.now });
    const due = this.due.get(service) ?? [];
    if (path.endsWith('/run-due')) {
      if (this.failing.has(service)) return { failures: [{ kind: 'billing.account', ref: 'x', error: 'no' }] };
      const upTo = body['upTo'] ?? '';
      for (const at of due.filter((time) => time <= upTo)) {
        this.done.push(`${service} ${at} while ${this.now}`);
        this.due.set(
          service,
          (this.due.get(service) ?? []).filter((time) => time !== at),
        );
        this.onRun(service, at);
      }
      return { failures: [] };
    }
    const progress: ClockProgress = {
      now: this.now,
      nextDue: [...due].sort()[0] ?? null,
      claimed: 0,
      unpublished: 0,
      published: {},
      applied: {},
      parked: 0,
    };
    return { ...progress, ...this.bend.get(service) };
  }
}
