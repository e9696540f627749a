import type { CustomerState, EventEnvelope, TenantState } from '@kontor/contracts';
import { customerChangedV1, tenantChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { EmbeddedBus } from '@kontor/messaging';
import { Database } from '@kontor/persistence';
import { migrationsOf, ServiceDirectory, startService, type RunningService } from '@kontor/service-kit';
import {
  apiKeyPrincipal,
  brokenInvariants,
  servicePrincipal,
  TestClient,
  testDatabase,
  type TestDatabase,
} from '@kontor/testing';
import { tmpdir } from 'node:os';
import { paymentsService } from '../src/index.js';
import { INVARIANTS } from '../src/operations/check-invariants.js';
import { OpenIntents } from '../src/intents/open-intents.js';

type Principal = ReturnType<typeof apiKeyPrincipal>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are whatever the service says
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
}

export interface InvoiceRequest {
  customerId: string;
  gross: number;
  currency?: string;
  tax?: number;
  dueInDays?: number;
  number?: string;
  method?: string | null;
  type?: string;
}

/** The payments service alone, on a database of its own: other services' objects are put in as copies. */
export class World {
  private numbers = 0;

  private constructor(
    readonly test: TestDatabase,
    readonly service: RunningService,
    private readonly client: TestClient,
  ) {}

  /** `env`: credentials of providers and the like. */
  static async start(env: Record<string, string> = {}): Promise<World> {
    const test = await testDatabase('payments', migrationsOf(paymentsService), []);
    const service = await startService(paymentsService, {
      port: 0,
      bus: new EmbeddedBus(),
      databaseUrls: { ownerUrl: test.ownerUrl, appUrl: test.appUrl },
      directory: new ServiceDirectory(),
      env: {
        SECRETS_KEY: 'ab'.repeat(32),
        DATA_DIR: tmpdir(),
        LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
        KONTOR_SHAPE: 'embedded',
        DATABASE_POOL_SIZE: '8',
        ...env,
      },
    });
    return new World(test, service, await TestClient.of(paymentsService, service));
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.test.drop();
  }

  get database(): Database {
    return this.service.kit.database;
  }

  async tenant(options: { features?: string[]; settings?: Record<string, unknown> } = {}): Promise<Tenant> {
    const tenant = new Tenant(this, newUuid());
    await tenant.features(options.features ?? ['WalletTopUp']);
    await tenant.settings(options.settings ?? { creditOverpayments: true, applyCreditAutomatically: true });
    return tenant;
  }

  async http(
    principal: Principal,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { status, body: answer } = await this.client.as(principal)(method, path, body, headers);
    return { status, body: answer === '' ? undefined : answer };
  }

  nextNumber(): string {
    return `RE-${String(++this.numbers).padStart(5, '0')}`;
  }
}

/** One tenant of it. */
export class Tenant {
  private version = 0;
  readonly key: Principal;

  constructor(
    readonly world: World,
    readonly id: string,
  ) {
    this.key = apiKeyPrincipal(id);
  }

  private copy(kind: string, id: string, data: unknown): Promise<boolean> {
    return this.world.database.tenant(this.id, (tx) =>
      this.world.service.kit.replicas.apply(tx, kind, id, ++this.version, data, false),
    );
  }

  async features(features: string[], mode: TenantState['mode'] = 'sandbox'): Promise<TenantState> {
    const state = { ...(tenantChangedV1.example.state as TenantState), id: this.id, features, mode };
    await this.copy('tenant', this.id, state);
    return state;
  }

  async settings(settings: Record<string, unknown>): Promise<void> {
    await this.copy('settings', this.id, settings);
  }

  async customer(
    settings: Record<string, unknown> = {},
    id = newUuid(),
    more: Partial<CustomerState> = {},
  ): Promise<string> {
    await this.copy('customer', id, { ...(customerChangedV1.example.state as CustomerState), id, settings, ...more });
    return id;
  }

  async ok(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    const principal = path.startsWith('/internal') ? servicePrincipal(this.id, 'invoicing') : this.key;
    return this.world.http(principal as Principal, method, path, body, headers);
  }

  async method(customerId: string, gateway = 'bank_transfer', more: object = {}): Promise<Json> {
    return (await this.ok('POST', '/payment-methods', { gateway, customerId, ...more })).paymentMethod;
  }

  /** As the events of invoicing would: all documents in one batch, one transaction. Gives the invoices' ids. */
  async finalize(...requests: InvoiceRequest[]): Promise<string[]> {
    const now = new Date();
    const events = requests.map((request) => this.event(request, now));
    await this.world.database.tenant(
      this.id,
      (tx) => this.world.service.get(OpenIntents).execute(tx, events as never),
      { now },
    );
    return events.map((event) => event.payload.invoiceId);
  }

  /** A credit note about an invoice, as invoicing publishes it. Gives its id. */
  async creditNote(
    customerId: string,
    invoiceId: string,
    gross: number,
    more: { type?: string; disposition?: string | null; paymentMethodId?: string } = {},
  ): Promise<string> {
    const now = new Date();
    const { payload, ...event } = this.event({ customerId, gross: -gross }, now);
    const note = { ...event, payload: { ...payload, referencedInvoiceId: invoiceId, disposition: null, ...more } };
    await this.world.database.tenant(
      this.id,
      (tx) => this.world.service.get(OpenIntents).execute(tx, [note] as never),
      { now },
    );
    return payload.invoiceId;
  }

  event(request: InvoiceRequest, now: Date): EventEnvelope<Json> {
    const currencyCode = request.currency ?? 'EUR';
    const dueAt = new Date(now.getTime() + (request.dueInDays ?? 14) * 86_400_000).toISOString();
    const payload = {
      invoiceId: newUuid(),
      type: request.type ?? (request.gross < 0 ? 'TYPE_CREDIT' : 'TYPE_INVOICE'),
      number: request.number ?? this.world.nextNumber(),
      customerId: request.customerId,
      grossAmount: { amount: request.gross, currencyCode },
      taxAmount: { amount: request.tax ?? 0, currencyCode },
      finalizedAt: now.toISOString(),
      dueAt,
      paymentMethodId: request.method ?? null,
      referencedInvoiceId: null,
    };
    return {
      eventId: newUuid(),
      type: 'invoicing.invoice.finalizing.v1',
      topic: 'invoicing.invoice',
      tenantId: this.id,
      aggregateId: payload.invoiceId,
      aggregateSeq: 1,
      effectiveAt: now.toISOString(),
      headers: {},
      payload,
    };
  }

  record(invoiceId: string, paymentMethodId: string, more: object = {}): Promise<Answer> {
    const body = {
      operationId: newUuid(),
      invoiceId,
      paymentMethodId,
      description: 'Überweisung',
      amount: null,
      currencyCode: null,
      feeAmount: null,
      paymentDate: null,
      ...more,
    };
    return this.call('POST', '/internal/payments/record', body);
  }

  async intent(invoiceId: string): Promise<Json> {
    const [row] = await this.rows<{ id: string }>('SELECT id FROM payment_intent WHERE invoice_id = $1', [invoiceId]);
    return this.ok('GET', `/payment/intents/${row?.id}`);
  }

  async balance(customerId: string): Promise<number> {
    const { items } = await this.ok('GET', `/api/wallet/balances?customerId=${customerId}`);
    return items[0]?.balance.amount ?? 0;
  }

  rows<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return this.world.database.tenant(this.id, (tx) => tx.query<Row>(sql, params), { readOnly: true });
  }

  /** What does not hold in this tenant's money. */
  broken(): Promise<string[]> {
    return this.world.database.tenant(this.id, (tx) => brokenInvariants(tx, INVARIANTS), { readOnly: true });
  }

  async events(aggregateId: string): Promise<{ seq: bigint; type: string; payload: Json }[]> {
    const rows = await this.rows<{ seq: bigint; type: string; payload: string }>(
      'SELECT aggregate_seq AS seq, type, payload::text FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [aggregateId],
    );
    return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as Json }));
  }
}
