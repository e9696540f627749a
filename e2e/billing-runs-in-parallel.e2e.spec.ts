import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { advance, type Sandbox, System } from './support/system.js';

describe('billing runs at once, and one that is killed', () => {
  let system: System;
  beforeAll(async () => void (system = await System.sharedToBeKilled()));

  /** Forty customers with two subscriptions each, all due today, when nothing is billed without being asked. */
  async function dueTenant(): Promise<Sandbox> {
    const tenant = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' });
    const { pricePlan } = await priced(tenant.api, { price: { amount: 1000 } });
    for (let n = 0; n < 40; n += 1) {
      const customer = await aCustomer(tenant.api);
      for (let s = 0; s < 2; s += 1)
        await tenant.api.ok('POST', '/subscriptions', {
          customer: customer.id,
          items: [{ pricePlan: pricePlan.id }],
          activate: true,
        });
    }
    return tenant;
  }

  const invoices = async ({ api }: Sandbox): Promise<Json> => (await api.ok('GET', '/invoices?limit=100')) as Json;
  const completed = ({ api }: Sandbox, id: string): Promise<Json> =>
    eventually<Json>('the run is completed', async () => {
      const answer = await api.get(`/billing-runs/${id}`);
      return answer.status === 200 && answer.body.status === 'completed' ? answer.body : undefined;
    }); // prettier-ignore

  async function expectEachBilledOnce(tenant: Sandbox): Promise<void> {
    await eventually(
      'all invoices are unpaid',
      async () =>
        (await tenant.api.ok('GET', '/invoices?status=STATUS_UNPAID&limit=0')).meta.pagination.totalItems === 40,
    );
    const list = await invoices(tenant);
    expect(list.meta.pagination.totalItems).toBe(40);
    for (const invoice of list.data) expect(invoice.grossAmount.amount).toBe(2380);
    expect(new Set(list.data.map((invoice: Json) => invoice.customer.id)).size).toBe(40);
  }

  it('sixteen runs at once bill each period once', async () => {
    const tenant = await dueTenant();
    const runs = await Promise.all(Array.from({ length: 16 }, () => tenant.api.post('/billing-runs', {})));
    expect(runs.map((run) => run.status)).toEqual(Array.from({ length: 16 }, () => 202));
    const done = await Promise.all(runs.map((run) => completed(tenant, run.body.id)));
    expect(done.reduce((sum, run) => sum + run.billed, 0)).toBe(80);
    expect(done.every((run) => run.failed === 0)).toBe(true);
    await expectEachBilledOnce(tenant);
  });

  it('a run whose process is killed goes on after the restart', async () => {
    const tenant = await dueTenant();
    const run = await tenant.api.post('/billing-runs', {});
    system.kill();
    await system.start();
    await completed(tenant, run.body.id);
    await expectEachBilledOnce(tenant);
  });

  it('an advance whose process is killed goes on by itself', async () => {
    const tenant = await system.sandbox({ now: '2026-01-01T08:00:00.000Z' });
    const { pricePlan } = await priced(tenant.api, { price: { amount: 1000 } });
    const customer = await aCustomer(tenant.api);
    await tenant.api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      billingStart: '2026-01-05T08:00:00.000Z',
      activate: true,
    });
    await tenant.api.ok('POST', '/sandbox/clock/advance', { to: '2026-12-31T12:00:00.000Z' });
    await eventually(
      'the first invoice',
      async () => (await tenant.api.ok('GET', '/invoices?limit=0')).meta.pagination.totalItems > 0,
    );
    system.kill();
    await system.start();
    await eventually(
      'the clock is there',
      async () => (await tenant.api.ok('GET', '/sandbox/clock')).status === 'ready',
    );
    expect((await tenant.api.ok('GET', '/invoices?limit=0')).meta.pagination.totalItems).toBe(12);
  });

  it('what was due during a downtime over several periods is billed, each period with an invoice of its own', async () => {
    const tenant = await system.sandbox({ now: '2026-01-01T08:00:00.000Z' });
    const { pricePlan } = await priced(tenant.api, { price: { amount: 1000 } });
    const customer = await aCustomer(tenant.api);
    await tenant.api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      billingStart: '2025-10-31T08:00:00.000Z',
      activate: true,
    });
    await advance(tenant.api, '2026-01-02T12:00:00.000Z');
    const list = await tenant.api.ok('GET', '/invoices?order[number]=asc');
    const days = list.data.map((invoice: Json) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(invoice.serviceDateFrom)),
    );
    expect(days).toEqual(['2025-10-31', '2025-11-30', '2025-12-31']);
  });
});
