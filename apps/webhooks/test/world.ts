import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { customerChangedV1, type Notice } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvents, EmbeddedBus, Messaging } from '@kontor/messaging';
import { migrationsOf, defineService } from '@kontor/service-kit';
import {
  apiKeyPrincipal,
  type Send,
  testDatabase,
  type TestDatabase,
  testService,
  type TestService,
} from '@kontor/testing';
import pg from 'pg';
import { webhooksService } from '../src/index.js';

export interface Received {
  readonly at: number;
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read bodies freely
  readonly body: any;
}

export type Answer = (request: Received, response: ServerResponse) => void;
export const answer =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end();

/** A real HTTP server that notes what it gets. */
export class Receiver {
  readonly got: Received[] = [];
  behave: Answer = answer(200);
  private constructor(private readonly server: Server) {}

  static async start(behave: Answer = answer(200)): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    receiver.behave = behave;
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const received: Received = { at: Date.now(), headers: request.headers, raw, body: JSON.parse(raw) };
        receiver.got.push(received);
        receiver.behave(received, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The webhooks service, and billing reduced to its outbox, on one bus. */
export interface World {
  readonly webhooks: TestService;
  /** Another service changed objects of a tenant: all in one transaction. */
  publish(
    tenantId: string,
    notices: readonly Partial<Notice>[],
    options?: { now?: Date; actor?: { kind: string; id: string; name?: string } },
  ): Promise<void>;
  tenant(mode?: 'live' | 'sandbox'): Promise<{ id: string; send: Send }>;
  stop(): Promise<void>;
}

const billing = defineService({
  name: 'billing',
  module: class {},
  migrations: [],
  rows: [],
  replicas: [],
  customerData: { tables: [] },
});

export async function world(env: Record<string, string> = {}): Promise<World> {
  const bus = new EmbeddedBus();
  const webhooks = await testService(webhooksService, { bus, env: { WEBHOOK_RETRY_SECONDS: '1,1,1', ...env } });
  // What was not copied does not exist: the owners are not here.
  webhooks.service.kit.replicas.readThrough(null);
  const producer: TestDatabase = await testDatabase('billing', migrationsOf(billing), []);
  const { database } = producer;
  const messaging = new Messaging({
    bus,
    database: {
      serviceName: 'billing',
      tenant: (tenantId, work, options) => database.tenant(tenantId, work, options),
      system: (work) => database.system(work),
      statement: (sql, params) => database.statement(sql, params),
      connect: async () => {
        const client = new pg.Client({ connectionString: producer.appUrl });
        client.on('error', () => undefined);
        await client.connect();
        return client;
      },
    },
  });
  await messaging.startRelay();
  const sequence = new Map<string, number>();
  return {
    webhooks,
    async publish(tenantId, notices, options = {}) {
      const full = notices.map((notice): Notice => ({
        type: 'customer.updated',
        objectId: newUuid(),
        data: null,
        customerId: null,
        activity: null,
        ...notice,
      }));
      await database.tenant(
        tenantId,
        async (tx) => {
          const events = full.map((notice) => {
            const version = (sequence.get(notice.objectId) ?? 0) + 1;
            sequence.set(notice.objectId, version);
            const state = customerChangedV1.example.state;
            return {
              aggregateId: notice.objectId,
              aggregateSeq: version,
              payload: {
                id: notice.objectId,
                version,
                deleted: false,
                state: { ...state!, id: notice.objectId },
                notices: [notice],
              },
            };
          });
          await appendEvents(tx, customerChangedV1, events);
          if (options.actor)
            await tx.query("UPDATE outbox SET headers = $2 WHERE tenant_id = $1 AND headers = '{}'", [
              tenantId,
              JSON.stringify({ actor: options.actor }),
            ]);
        },
        options.now ? { now: options.now } : {},
      );
    },
    async tenant(mode = 'sandbox') {
      const id = newUuid();
      await webhooks.giveCopy('tenant', id, id, { id, mode, timeZone: 'Europe/Berlin' });
      return { id, send: webhooks.as(apiKeyPrincipal(id, { mode })) };
    },
    async stop() {
      await messaging.stopRelay();
      await webhooks.stop();
      await producer.drop();
    },
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
