import {
  type ChargeLine,
  chargesDueV1,
  type ChargesDue,
  customerChangedV1,
  type CustomerState,
  exampleAddress,
  tenantChangedV1,
  type TenantState,
} from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { checkInvariants, describeViolations, ServiceDirectory } from '@kontor/service-kit';
import { euVatRates } from '@kontor/tax';
import { apiKeyPrincipal, type Send, type TestAnswer, testService, type TestService } from '@kontor/testing';
import { FILE_INVARIANTS, INVARIANTS } from '../../src/invoices/check-invariants.js';
import { DraftCharges } from '../../src/charges/draft-charges.js';
import { invoicingService } from '../../src/index.js';
import { FakePayments } from './fake-payments.js';

export const seller = {
  company: 'Nordlicht Software GmbH',
  address: {
    street: 'Musterstraße',
    houseNumber: '1',
    zip: '10115',
    city: 'Berlin',
    addition: null,
    countryCode: 'DE',
  },
  taxNumber: '29/123/45678',
  vatId: 'DE123456788',
  bankAccount: {
    accountHolder: 'Nordlicht Software GmbH',
    iban: 'DE02120300000000202051',
    bic: 'BYLADEM1001',
    bankName: 'Musterbank',
  },
  creditorIdentifier: null,
  contact: { name: 'Buchhaltung', email: 'rechnung@example.com', phone: null },
};

/** Invoicing alone on a database of its own, with a stand-in for payments. */
export class World {
  private constructor(
    readonly test: TestService,
    readonly payments: FakePayments,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<World> {
    const payments = await FakePayments.start();
    const directory = new ServiceDirectory();
    for (const owner of ['payments', 'billing', 'identity'] as const) directory.set(owner, payments.url);
    const test = await testService(invoicingService, {
      directory,
      env: {
        DATABASE_POOL_SIZE: '10',
        // Answers come when intents are there, and not when a busy machine has taken its time.
        FINALIZATION_WAIT_SECONDS: '25',
        LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
        ...env,
      },
    });
    payments.follow(test);
    return new World(test, payments);
  }

  async stop(): Promise<void> {
    await this.payments.stop();
    await this.test.stop();
  }

  /** @throws Error that lists every promise of the service that does not hold in a tenant of this world. */
  async expectInvariants(): Promise<void> {
    const broken = await this.broken();
    // Tests stand at a time of their own, so nothing can be said about how long a document has waited.
    const wrong = broken.filter((line) => !line.includes('the payment intent of a document exists'));
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }

  /** What does not hold of this world's documents and files. */
  async broken(): Promise<string[]> {
    const tenants = await this.test.peek<{ id: string }>('SELECT DISTINCT tenant_id AS id FROM invoice');
    const broken: string[] = [];
    const { database, blobs } = this.test.service.kit;
    const ids = tenants.map(({ id }) => id);
    await checkInvariants(database, [...INVARIANTS, ...FILE_INVARIANTS], ids, {
      blobs,
      onViolations: (found) => found.tenantId !== null && broken.push(...describeViolations(found)),
    });
    return broken;
  }

  async tenant(options: Parameters<Tenant['setUp']>[0] = {}): Promise<Tenant> {
    const tenant = new Tenant(this, newUuid());
    await tenant.setUp(options);
    return tenant;
  }
}

export class Tenant {
  readonly send: Send;
  readonly groups = { standard: newUuid(), reduced: newUuid(), zero: newUuid(), exempt: newUuid() };
  private version = 1;

  constructor(
    readonly world: World,
    readonly id: string,
  ) {
    this.send = world.test.as(apiKeyPrincipal(id));
  }

  async setUp({
    settings = {},
    mode = 'sandbox',
    plan = 'enterprise',
    features = ['WalletTopUp'],
  }: {
    settings?: Record<string, unknown>;
    mode?: 'live' | 'sandbox';
    plan?: 'standard' | 'enterprise';
    features?: string[];
  }): Promise<void> {
    await this.copy('tenant', this.id, {
      ...(tenantChangedV1.example.state as TenantState),
      id: this.id,
      mode,
      plan,
      features,
    });
    await this.settings(settings);
    for (const [type, id] of Object.entries(this.groups)) {
      const taxes = euVatRates()
        .filter((rate) => rate.kind === type)
        .map((rate) => ({ id: newUuid(), code: 'VAT', description: `VAT ${rate.rate} %`, ...rate }));
      await this.copy('tax_group', id, {
        id,
        type,
        internalDescription: type,
        reverseChargeType: type === 'exempt' ? 'REVERSE_CHARGE_DEACTIVATED' : 'REVERSE_CHARGE',
        taxes,
      });
    }
  }

  async copy(kind: Parameters<TestService['giveCopy']>[0], id: string, data: unknown): Promise<void> {
    await this.world.test.giveCopy(kind, this.id, id, data, this.version++);
  }

  settings(settings: Record<string, unknown>): Promise<void> {
    return this.copy('settings', this.id, { seller, ...settings });
  }

  async customer(change: Partial<CustomerState> = {}): Promise<CustomerState> {
    const id = change.id ?? newUuid();
    const state: CustomerState = {
      ...(customerChangedV1.example.state as CustomerState),
      addresses: [{ ...exampleAddress, id: newUuid() }],
      ...change,
      id,
    };
    state.representation = { id, customerNumber: state.customerNumber, companyName: state.companyName };
    await this.copy('customer', id, state);
    return state;
  }

  /** The answer's body; fails the test unless it is a success. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  async ok(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.sendUntilBegun(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** As any client must: what was refused before it began, because too many came at once, is sent again after `Retry-After`. */
  private async sendUntilBegun(method: string, path: string, body: unknown): Promise<TestAnswer> {
    for (;;) {
      const answer = await this.send(method, path, body);
      if (reasonOf(answer) !== '503 service_overloaded') return answer;
      const seconds = Number(answer.headers.get('retry-after'));
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }

  async draft(customerId: string, ...positions: object[]): Promise<{ id: string; positions: { id: string }[] }> {
    return this.ok('POST', '/invoices', {
      customer: customerId,
      positions: positions.length > 0 ? positions : [position()],
    });
  }

  /** As events of billing would, in one transaction. */
  async charge(batches: readonly ChargesDue[], options: { now?: Date } = {}): Promise<void> {
    const draftCharges = this.world.test.service.get(DraftCharges) as DraftCharges;
    await this.world.test.service.kit.database.tenant(this.id, (tx) => draftCharges.execute(tx, batches), options);
  }

  batch(customerId: string, lines: Partial<ChargeLine>[] = [{}], change: Partial<ChargesDue> = {}): ChargesDue {
    const subscriptionId = newUuid();
    const example = chargesDueV1.example.lines[0] as ChargeLine;
    return {
      ...chargesDueV1.example,
      batchId: newUuid(),
      runId: newUuid(),
      customerId,
      customerVersion: 1,
      lines: lines.map((line) => ({
        ...example,
        chargeId: newUuid(),
        subscriptionId,
        taxGroupId: this.groups.standard,
        ...line,
      })),
      ...change,
    };
  }

  invoices(query = ''): Promise<{ data: Record<string, never>[] }> {
    return this.ok('GET', `/invoices?order[creationDate]=asc${query}`);
  }

  /** Notices of a document in order, as receivers will see them. */
  async notices(invoiceId: string): Promise<{ type: string; status: string }[]> {
    const rows = await this.world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.changed.v1' AND aggregate_id = $1 ORDER BY aggregate_seq`,
      [invoiceId],
    );
    type Payload = { notices: { type: string; data: { invoice: { status: string } } }[] };
    return rows.flatMap((row) =>
      (JSON.parse(row.payload) as Payload).notices.map((notice) => ({
        type: notice.type,
        status: notice.data.invoice.status,
      })),
    );
  }
}

export const position = (change: object = {}): object => ({
  name: 'Beratung',
  unitPrice: { amount: 10000, currencyCode: 'EUR' },
  ...change,
});

export const eur = (amount: number): { amount: number; currencyCode: string } => ({ amount, currencyCode: 'EUR' });

export const reasonOf = (answer: TestAnswer): string =>
  `${answer.status} ${(answer.body as { reason?: string }).reason}`;
