import { newUuid } from '@kontor/kernel';
import { setTenantClock, type TenantTx } from '@kontor/persistence';
import type { ChargesDue } from '@kontor/contracts';
import { brokenInvariants } from '@kontor/testing';
import { INVARIANTS } from '../../src/billing-runs/check-invariants.js';
import { OnChargesSettled } from '../../src/billing-runs/on-charges-settled.js';
import { backhaus, type Billing, type Tenant } from './billing.js';

const made: World[] = [];

/** After each test: whatever it did, the promises hold in all its tenants. */
export async function expectInvariants(): Promise<void> {
  // A file before this one may have left some, and its service has ended.
  const living = made.splice(0).filter(({ billing }) => !billing.test.service.kit.database.pool.ended);
  for (const world of living) await world.expectInvariants();
}

/** A tenant with a clock of its own and what is needed to sell something. */
export class World {
  private constructor(
    readonly billing: Billing,
    readonly tenant: Tenant,
  ) {}

  static async at(billing: Billing, now: string, zone = 'Europe/Berlin'): Promise<World> {
    const tenant = await billing.tenant({ timeZone: zone });
    const world = new World(billing, tenant);
    made.push(world);
    await world.setClock(now);
    return world;
  }

  private get kit() {
    return this.billing.test.service.kit;
  }

  async setClock(now: string): Promise<void> {
    await this.kit.database.system((sql) => setTenantClock(sql, this.tenant.id, new Date(now)));
  }

  /** Lets time pass in the tenant, everything due in order. */
  async advance(to: string): Promise<void> {
    const end = new Date(to);
    for (;;) {
      const due = await this.kit.dueRunner.nextDue(this.tenant.id);
      if (due === null || due > end) break;
      await this.setClock(due.toISOString());
      const failures = await this.kit.dueRunner.runDue(this.tenant.id, due);
      if (failures.length > 0) throw new Error(JSON.stringify(failures));
      await this.idle();
    }
    await this.setClock(to);
  }

  /** Waits until nobody works on the tenant's due work. */
  async idle(): Promise<void> {
    for (let n = 0; n < 500; n++) {
      const now = await this.kit.database.now(this.tenant.id);
      const due = await this.kit.dueRunner.nextDue(this.tenant.id);
      if ((due === null || due > now) && (await this.kit.dueRunner.claimed(this.tenant.id)) === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('due work does not come to an end');
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  async ok(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.tenant.call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async customer(fields: Record<string, unknown> = {}): Promise<string> {
    return (await this.ok('POST', '/customers', { ...backhaus, ...fields })).id;
  }

  /** A price plan of a separate product; per unit, 10.00 EUR a month unless given otherwise. */
  async price(fields: Record<string, unknown> = {}, product: Record<string, unknown> = {}): Promise<string> {
    const { id } = await this.ok('POST', '/catalogue/products', { name: 'Team', type: 'product', ...product });
    return (
      await this.ok('POST', '/price-plans', {
        product: id,
        type: 'per_unit',
        currencyCode: 'EUR',
        price: { amount: 1000 },
        billingInterval: '1M',
        ...fields,
      })
    ).id;
  }

  /** An active subscription to one price. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  async subscribe(customer: string, pricePlan: string, fields: Record<string, unknown> = {}): Promise<any> {
    return this.ok('POST', '/subscriptions', { customer, items: [{ pricePlan }], activate: true, ...fields });
  }

  /** Batches of charges that were published to invoicing, in order. */
  async batches(): Promise<ChargesDue[]> {
    const rows = await this.billing.test.peek<{ payload: ChargesDue | string }>(
      `SELECT payload FROM outbox WHERE tenant_id = $1 AND type = 'billing.charges.due.v1' ORDER BY id`,
      [this.tenant.id],
    );
    return rows.map(({ payload }) => (typeof payload === 'string' ? (JSON.parse(payload) as ChargesDue) : payload));
  }

  /** `2026-01-31: regular 2026-01-31..2026-02-28 1000` for each line. */
  async lines(): Promise<string[]> {
    return (await this.batches()).flatMap((batch) =>
      batch.lines.map(
        (line) =>
          `${batch.billingDay}: ${line.kind} ${day(line.serviceFrom)}..${day(line.serviceTo)} ${line.netAmount.amount}`,
      ),
    );
  }

  /** Billing's promises about its data hold. */
  async expectInvariants(): Promise<void> {
    const check = (tx: TenantTx): Promise<string[]> => brokenInvariants(tx, INVARIANTS);
    const broken = await this.kit.database.tenant(this.tenant.id, check, { readOnly: true });
    if (broken.length > 0) throw new Error(broken.join('; '));
  }

  /** Answers batches as invoicing does. */
  async settle(
    batches: readonly ChargesDue[],
    answer: { invoiceId?: string | null; blockedReason?: string | null } = {},
  ): Promise<void> {
    const consumer = this.billing.test.service.get(OnChargesSettled) as OnChargesSettled;
    const events = batches.map((batch) => ({
      payload: {
        batchId: batch.batchId,
        runId: batch.runId,
        invoiceId: answer.invoiceId === undefined ? newUuid() : answer.invoiceId,
        blockedReason: answer.blockedReason ?? null,
        subscriptionIds: [...new Set(batch.lines.map((line) => line.subscriptionId))],
      },
    }));
    await this.kit.database.tenant(this.tenant.id, (tx) => consumer.handle(events as never, tx));
  }
}

/** Berlin's day of an instant. */
export const day = (at: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(at));
