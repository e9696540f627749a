import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { invariants } from './support/invariants.js';
import { ServiceDatabase } from './support/service-database.js';
import { System } from './support/system.js';

const NOW = '2026-03-01T09:00:00.000Z';
const SERVICES = ['billing', 'invoicing', 'payments', 'usage', 'offers'] as const;
type Service = (typeof SERVICES)[number];

/** What somebody makes for a customer. */
interface Making {
  readonly what: string;
  readonly service: Service;
  /** That it writes to at last: it is stopped there. */
  readonly table: string;
  readonly make: (customerId: string) => Promise<Answer<Json>>;
}

/** @see docs/rules/safety.md#deletion-beside-a-creation */
describe('a customer is deleted while something is made for it', () => {
  let system: System;
  let api: Api;
  let pricePlan: Json;
  let databases: Record<Service, ServiceDatabase>;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
    ({ api } = await system.sandbox({ now: NOW, features: ['WalletTopUp'] }));
    ({ pricePlan } = await priced(api, { price: { amount: 3000 } }));
    const opened = await Promise.all(SERVICES.map(async (name) => [name, await ServiceDatabase.of(name, system)]));
    databases = Object.fromEntries(opened) as Record<Service, ServiceDatabase>;
  });
  afterAll(async () => {
    for (const database of Object.values(databases ?? {})) await database.end();
  });

  const adjust = (customerId: string): Promise<Answer<Json>> =>
    api.post('/api/wallet/adjustments', { customerId, amount: 10, currencyCode: 'EUR', description: 'Kulanz' });
  const use = async (customerId: string): Promise<Answer<Json>> => {
    const event = { customerId, transactionId: customerId, eventName: 'call', timestamp: NOW, properties: { n: 1 } };
    const answer = await api.post('/api/usage-events', { events: [event] });
    const [refused] = answer.body.errors ?? [];
    return refused ? { ...answer, status: 422, body: { reason: refused.code } } : { ...answer, status: 201 };
  };
  const makings: readonly Making[] = [
    { what: 'credit', service: 'payments', table: 'wallet', make: adjust },
    {
      what: 'a rule for top-ups',
      service: 'payments',
      table: 'auto_top_up_rule',
      make: (customerId) => {
        const rule = { customerId, currencyCode: 'EUR', thresholdAmount: 10, topUpAmount: 50 };
        return api.post('/api/wallet/auto-top-up', rule);
      },
    },
    {
      what: 'a payment method',
      service: 'payments',
      table: 'payment_method',
      make: (customerId) => api.post('/payment-methods', { gateway: 'bank_transfer', customerId }),
    },
    {
      what: 'an invoice',
      service: 'invoicing',
      table: 'invoice',
      make: (customer) => api.post('/invoices', { customer, positions: [] }),
    },
    { what: 'usage', service: 'usage', table: 'usage_event_key_all', make: use },
    { what: 'an offer', service: 'offers', table: 'offer', make: (customer) => api.post('/offers', { customer }) },
    {
      what: 'a cart',
      service: 'offers',
      table: 'cart',
      make: (customer) => api.post('/checkout/carts', { customer, items: [{ pricePlan: pricePlan.id }] }),
    },
  ];
  const deletion = (id: string): Promise<Answer<Json>> => api.delete(`/customers/${id}`);
  const inUse = { status: 422, body: { reason: 'in_use' } };

  it.each(makings)('$what that was begun first keeps it, in all services', async ({ service, table, make }) => {
    const { id } = await aCustomer(api);
    let made: Promise<Answer<Json>> | undefined;
    let deleted: Promise<Answer<Json>> | undefined;
    await databases[service].reached(
      table,
      () => (made = make(id)),
      async () => {
        let isAnswered = false;
        deleted = deletion(id).finally(() => (isAnswered = true));
        await eventually('the deletion waits', async () => isAnswered || databases[service].someoneWaits());
      },
    );
    expect(await made).toMatchObject({ status: 201 });
    expect(await deleted).toMatchObject(inUse);
    expect(await api.get(`/customers/${id}`)).toMatchObject({ status: 200 });
    // Those that had released it have it back.
    for (const { status } of [await adjust(id), await api.post('/invoices', { customer: id, positions: [] })])
      expect(status).toBe(201);
    const types = (await api.ok('GET', `/customers/${id}/activities?limit=100`)).data.map(({ type }: Json) => type);
    expect(types).not.toContain('customer.updated');
  });

  it.each(makings)('$what that comes later is refused, and it is gone', async ({ service, make }) => {
    const { id } = await aCustomer(api);
    let deleted: Promise<Answer<Json>> | undefined;
    await databases.billing.reached(
      'outbox',
      () => (deleted = deletion(id)),
      async () => {
        await eventually(`${service} releases it`, () => databases[service].hasNoCustomer(id));
        const refused = await make(id);
        expect(refused).toMatchObject({ status: 422 });
        expect(['unknown_reference', 'unknown_customer']).toContain(refused.body.reason);
      },
    );
    expect(await deleted).toMatchObject({ status: 204 });
    expect(await api.get(`/customers/${id}`)).toMatchObject({ status: 404 });
    expect(await make(id)).toMatchObject({ status: 422 });
  });

  it('twice at once it is deleted once', async () => {
    const { id } = await aCustomer(api);
    const answers = await Promise.all([deletion(id), deletion(id), deletion(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });

  it('what is made for a customer while others move what it had, because it was merged, is moved, too', async () => {
    const [target, source] = [await aCustomer(api), await aCustomer(api)];
    let made: Promise<Answer<Json>> | undefined;
    await databases.invoicing.reached(
      'outbox',
      () => (made = api.post('/invoices', { customer: source.id, positions: [] })),
      async () => {
        const merged = await api.post('/customers/merge', {
          targetCustomerId: target.id,
          sourceCustomerIds: [source.id],
        });
        expect(merged).toMatchObject({ status: 201 });
        await eventually('invoicing waits, or is done', async () => {
          const { data } = await api.ok('GET', `/customers/${target.id}/merges`);
          return !data[0].waitingFor.includes('invoicing') || databases.invoicing.someoneWaits();
        });
      },
    );
    const { status, body } = (await made)!;
    expect(status).toBe(201);
    await eventually('the merge is completed', async () => {
      const { data } = await api.ok('GET', `/customers/${target.id}/merges`);
      return data[0].status === 'completed';
    });
    expect((await api.ok('GET', `/invoices/${body.id}`)).customer.id).toBe(target.id);
  });

  it('and all promises hold', async () => {
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });
});
