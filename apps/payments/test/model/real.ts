import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '@kontor/kernel';
import { DueRunner, setTenantClock } from '@kontor/persistence';
import { eventually } from '@kontor/testing';
import pg from 'pg';
import { MatchDue } from '../../src/bank/matching/match-due.js';
import { MatchLines } from '../../src/bank/matching/match-lines.js';
import { CollectDue } from '../../src/collections/collect.js';
import { Gateways } from '../../src/gateways/port/payment-gateway.js';
import { RefundDue } from '../../src/refunds/submit-refunds.js';
import { OpenIntents } from '../../src/intents/open-intents.js';
import { StartAutomaticTopUps } from '../../src/top-ups/start-automatic-top-ups.js';
import { ApplyCredit } from '../../src/wallet/apply-credit.js';
import { ExpireCredit } from '../../src/wallet/expire-credit.js';
import { bankAccount } from '../bank-world.js';
import { type Answer, type InvoiceRequest, type Tenant, World } from '../world.js';
import type { Currency } from './things.js';

const DUE_WORKERS = [MatchDue, CollectDue, RefundDue, StartAutomaticTopUps, ApplyCredit, ExpireCredit];
/** Connections that the service may hold. */
const POOL_SIZE = 8;
/** How long a command is repeated after a kill; only a fault takes so long. */
const LIMIT_MS = 120_000;
const IBANS: Record<Currency, string> = { EUR: 'DE89370400440532013000', CHF: 'CH9300762011623852957' };

/**
 * The service, with its gateways silent (each answer is a step of its own) and its due work done when the test says so,
 * so that a sequence of steps always goes the same way.
 */
export class SteppedWorld {
  private constructor(
    readonly world: World,
    readonly due: DueRunner,
    readonly admin: pg.Client,
    readonly killer: pg.Pool,
  ) {}

  static async start(): Promise<SteppedWorld> {
    const world = await World.start();
    world.service.get(Gateways).find = (name) => ({
      name,
      collect: () => Promise.resolve(new Map()),
      refund: () => Promise.resolve(new Map()),
    });
    await world.service.kit.dueRunner.stop();
    const due = new DueRunner(world.database);
    for (const worker of DUE_WORKERS) due.register(world.service.get(worker as never));
    const admin = new pg.Client({ connectionString: world.test.adminUrl });
    await admin.connect();
    const killer = new pg.Pool({ connectionString: world.test.adminUrl, max: 3 });
    return new SteppedWorld(world, due, admin, killer);
  }

  async stop(): Promise<void> {
    await Promise.all([this.admin.end(), this.killer.end()]);
    await this.world.stop();
  }
}

/** How a customer can pay: method ids. */
export interface Methods {
  readonly bank: string;
  readonly gateway: string;
  readonly wallet: string;
}

/** One tenant of the stepped world. */
export class Real {
  readonly methods = new Map<string, Methods>();
  readonly accounts = new Map<Currency, string>();
  /** Milliseconds after which the database sessions of the running command are ended; null: they live. */
  kill: number | null = null;

  private constructor(
    private readonly stepped: SteppedWorld,
    readonly tenant: Tenant,
    readonly customers: readonly string[],
  ) {}

  static async start(stepped: SteppedWorld, settings: Record<string, unknown>, now: number): Promise<Real> {
    const tenant = await stepped.world.tenant({ settings });
    const customers = await Promise.all([1, 2, 3].map(() => tenant.customer()));
    const real = new Real(stepped, tenant, customers);
    await real.setClock(now);
    for (const customer of customers) {
      const made = async (gateway: string, isDefault = false) =>
        (await tenant.method(customer, gateway, { isDefault })).id as string;
      real.methods.set(customer, {
        bank: await made('bank_transfer', true),
        gateway: await made('testing'),
        wallet: await made('wallet'),
      });
    }
    for (const currency of ['EUR', 'CHF'] as const)
      real.accounts.set(currency, await bankAccount(tenant, { iban: IBANS[currency], currencyCode: currency }));
    return real;
  }

  async setClock(now: number): Promise<void> {
    await this.tenant.world.database.system((sql) => setTenantClock(sql, this.tenant.id, new Date(now)));
  }

  /** As the superuser: rows of this tenant, `$1`. */
  async rows<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return (await this.stepped.admin.query(sql, [this.tenant.id, ...params])).rows as Row[];
  }

  /**
   * A request; when the step kills, it is repeated with the same key until it is answered. `keyless`: without a key.
   */
  async call(method: string, path: string, body?: unknown, keyless = false): Promise<Answer> {
    if (this.kill === null) return this.tenant.call(method, path, body);
    const headers: Record<string, string> = keyless ? {} : { 'idempotency-key': newUuid() };
    return this.killing(async () => {
      const answer = await this.tenant.call(method, path, body, headers);
      return answer.status < 500 && answer.status !== 409 ? answer : undefined;
    });
  }

  /** Documents are finalized, all in one transaction, at the clock's time. Gives the invoices' ids. */
  async finalize(now: number, requests: readonly (InvoiceRequest & { of?: string | null })[]): Promise<string[]> {
    const at = new Date(now);
    const events = requests.map(({ of = null, ...request }) => {
      const event = this.tenant.event(request, at);
      return { ...event, payload: { ...event.payload, referencedInvoiceId: of } };
    });
    const ids = events.map((event) => event.payload.invoiceId as string);
    const { database, service } = this.tenant.world;
    const open = (): Promise<void> =>
      database.tenant(this.tenant.id, (tx) => service.get(OpenIntents).execute(tx, events as never), { now: at });
    if (this.kill === null) await open();
    else {
      await this.killing(async () => {
        const rows = await this.rows(
          'SELECT 1 FROM payment_intent WHERE tenant_id = $1 AND invoice_id = ANY ($2::uuid[])',
          [ids],
        );
        if (rows.length === 0) await open();
        return true;
      });
    }
    return ids;
  }

  /** Does what is due on the clock, and what a killed import has left. */
  async work(now: number): Promise<void> {
    const left = await this.rows(
      `SELECT 1 FROM bank_transaction WHERE tenant_id = $1 AND status = 'STATUS_RECEIVED' LIMIT 1`,
    );
    if (left.length > 0) await this.tenant.world.service.get(MatchLines).again(this.tenant.id, 5000);
    const failures = await this.stepped.due.runDue(this.tenant.id, new Date(now));
    if (failures.length > 0) throw new Error(`due work failed: ${JSON.stringify(failures)}`);
  }

  private async killing<T>(work: () => Promise<T | undefined>): Promise<T> {
    const delay = this.kill ?? 0;
    const killer = sleep(delay).then(() => this.endSessions());
    let failure: unknown;
    const attempt = () => work().catch((error: unknown) => void (failure = error));
    let found = await attempt();
    await killer;
    const deadline = Date.now() + LIMIT_MS;
    while (found === undefined) {
      if (Date.now() > deadline) throw new Error('the repeated command was never answered', { cause: failure });
      await sleep(10);
      found = await attempt();
    }
    await this.untilConnected();
    return found;
  }

  /** Sessions that nobody used when they ended are noticed a moment later. */
  private async untilConnected(): Promise<void> {
    const { pool } = this.tenant.world.database;
    await eventually(async () => {
      const asked = await Promise.allSettled(Array.from({ length: POOL_SIZE }, () => pool.query('SELECT 1')));
      return asked.every(({ status }) => status === 'fulfilled');
    }, 'the service comes back to its database');
  }

  private async endSessions(): Promise<void> {
    await this.stepped.killer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = $1`,
      [new URL(this.tenant.world.test.appUrl).username],
    );
  }
}
