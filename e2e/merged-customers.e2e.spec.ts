import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { invariants } from './support/invariants.js';
import { unpaidInvoice } from './support/invoices.js';
import { advance, System } from './support/system.js';

const NOW = '2026-03-01T09:00:00.000Z';

const MARCH = 'from=2026-02-28T23:00:00Z&to=2026-03-31T22:00:00Z&granularity=month';

const settled = (api: Api, customerId: string): Promise<Json> =>
  eventually('the merge is completed', async () => {
    const { data } = await api.ok('GET', `/customers/${customerId}/merges`);
    return data.length > 0 && data.every(({ status }: Json) => status === 'completed') && data[0];
  });
const adjust = (api: Api, customerId: string, amount: number, currencyCode = 'EUR'): Promise<Json> =>
  api.ok('POST', '/api/wallet/adjustments', { customerId, amount, currencyCode, description: 'Kulanz' });
const balances = async (api: Api, customerId: string): Promise<number[]> =>
  (await api.ok('GET', `/api/wallet/balances?customerId=${customerId}`)).items.map((item: Json) => item.balance.amount);
const merge = (api: Api, targetCustomerId: string, ...sourceCustomerIds: string[]) =>
  api.post('/customers/merge', { targetCustomerId, sourceCustomerIds });
const preview = (api: Api, targetCustomerId: string, ...sourceCustomerIds: string[]): Promise<Json> =>
  api.ok('POST', '/customers/merge/preview', { targetCustomerId, sourceCustomerIds });
const codes = (answer: Json): string[] => answer.conflicts.map(({ code }: Json) => code).sort();
const customersOf = async (api: Api, path: string): Promise<string[]> =>
  (await api.ok('GET', path)).data.map((row: Json) => row.customer?.id ?? row.customerId);

describe('two customers are merged', () => {
  let system: System;
  let api: Api;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
    ({ api } = await system.sandbox({ now: NOW, features: ['WalletTopUp', 'customer.hierarchy'] }));
  });

  it('and everything that was the one’s is the other’s: agreements, documents, money, usage, log', async () => {
    const kept = await aCustomer(api, { companyName: 'Bleibt GmbH', email: 'bleibt@example.com' });
    const gone = await aCustomer(api, { companyName: 'Geht GmbH', email: 'geht@example.com', externalId: 'geht' });
    const { pricePlan } = await priced(api, { price: { amount: 3000 } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: gone.id,
      items: [{ pricePlan: pricePlan.id }],
      activate: true,
    });
    for (const { id } of [kept, gone])
      await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: id });
    const theirs = await unpaidInvoice(api, kept.id);
    const open = await unpaidInvoice(api, gone.id);
    await adjust(api, kept.id, 10);
    await adjust(api, gone.id, 25);
    await api.ok('POST', `/customers/${gone.id}/contact-persons`, { lastName: 'Ansprechpartner' });
    await api.ok('POST', `/customers/${gone.id}/comment`, { comment: 'wichtig' });
    const metric = await api.ok('POST', '/api/usage-metrics', {
      code: 'calls', name: 'Calls', eventName: 'call', aggregationType: 'sum', property: 'n',
    }); // prettier-ignore
    const use = (transactionId: string, n: number): Promise<Json> =>
      api.ok('POST', '/api/usage-events', {
        events: [{ customerId: 'geht', transactionId, eventName: 'call', timestamp: NOW, properties: { n } }],
      });
    expect(await use('before', 3)).toMatchObject({ ingested: 1 });

    const before = await preview(api, kept.id, gone.id);
    expect(before).toMatchObject({ possible: true, conflicts: [] });
    expect(before.moves.map(({ service, object, count }: Json) => [service, object, count])).toEqual(
      expect.arrayContaining([
        ['billing', 'subscription', 1],
        ['billing', 'contact_person', 1],
        ['invoicing', 'invoice', 1],
        ['payments', 'payment_method', 1],
        ['payments', 'payment_intent', 1],
        ['usage', 'usage_event', 1],
      ]),
    );
    expect((await api.ok('GET', `/subscriptions/${subscription.id}`)).customer.id).toBe(gone.id);

    const answer = await merge(api, kept.id, gone.id);
    expect(answer).toMatchObject({ status: 201, body: { id: kept.id, companyName: 'Bleibt GmbH' } });
    const done = await settled(api, kept.id);
    expect(done).toMatchObject({ sourceCustomerId: gone.id, targetCustomerId: kept.id, waitingFor: [] });

    expect((await api.ok('GET', `/subscriptions/${subscription.id}`)).customer.id).toBe(kept.id);
    const shown = await api.ok('GET', `/invoices/${open.id}`);
    expect(shown).toMatchObject({
      customer: { id: kept.id },
      number: open.number,
      invoiceAddress: open.invoiceAddress,
    });
    expect((await customersOf(api, `/invoices?customer=${kept.id}`)).length).toBe(2);
    expect(await customersOf(api, `/invoices?customer=${gone.id}`)).toEqual([]);
    expect(await balances(api, kept.id)).toEqual([3500]);
    expect(await balances(api, gone.id)).toEqual([]);
    const methods = (await api.ok('GET', `/payment-methods?customer=${kept.id}`)).data;
    expect(methods.map((method: Json) => method.default).sort()).toEqual([false, true]);
    expect((await api.ok('GET', `/customers/${kept.id}/contact-persons`)).data).toHaveLength(1);
    expect((await api.ok('GET', `/customers/${kept.id}/emails`)).data.map(({ email }: Json) => email)).toEqual([
      'bleibt@example.com',
      'geht@example.com',
    ]);
    const types = (await api.ok('GET', `/customers/${kept.id}/activities?limit=100`)).data.map(
      ({ type }: Json) => type,
    );
    expect(types).toEqual(expect.arrayContaining(['commented', 'customer.merged', 'subscription.updated']));

    // What is sent under the name of the one who went is usage of the one who stayed.
    expect(await use('after', 4)).toMatchObject({ ingested: 1 });
    const usage = await api.ok('GET', `/api/usage-metrics/${metric.id}/query?customerId=${kept.id}&${MARCH}`); // prettier-ignore
    expect(usage.total).toBe('7');

    // Money for the old document is the survivor's, too.
    const pay = { paymentMethod: methods[0].id, description: 'Überweisung', amount: 119 };
    expect(await api.ok('POST', `/invoices/${open.id}/payments`, pay)).toMatchObject({ status: 'STATUS_PAID' });
    const cancelled = await api.post(`/invoices/${theirs.id}/cancel`, { reason: 'Test' });
    expect(cancelled).toMatchObject({ status: 201, body: { customer: { id: kept.id } } });

    // Who was merged says so, whatever is asked of it.
    expect(await api.ok('GET', `/customers/${gone.id}`)).toMatchObject({
      status: 'STATUS_ARCHIVED',
      mergedIntoCustomerId: kept.id,
    });
    for (const refused of [
      await api.put(`/customers/${gone.id}/unarchive`, {}),
      await api.post('/payment-methods', { gateway: 'bank_transfer', customerId: gone.id }),
      await api.post('/api/wallet/adjustments', {
        customerId: gone.id,
        amount: 1,
        currencyCode: 'EUR',
        description: 'x',
      }),
      await api.post(`/customers/${gone.id}/authenticate`, {}),
    ])
      expect(refused).toMatchObject({ status: 410, body: { reason: 'customer_merged' } });
    expect(await merge(api, kept.id, gone.id)).toMatchObject({ status: 201 });
    expect((await api.ok('GET', `/customers/${kept.id}/merges`)).meta.pagination.totalItems).toBe(1);

    const objects = await api.ok('GET', `/customer-merges/${done.id}/objects?service=invoicing`);
    expect(objects.data).toEqual([{ service: 'invoicing', object: 'invoice', id: open.id }]);
    expect((await api.ok('GET', `/customer-merges/${done.id}/objects`)).data).toContainEqual({
      service: 'billing',
      object: 'subscription',
      id: subscription.id,
    });

    // The next month is billed to the survivor, once.
    await api.ok('POST', '/sandbox/clock/advance', { to: '2026-04-02T09:00:00.000Z' });
    await eventually('the clock is there', async () => (await api.ok('GET', '/sandbox/clock')).status === 'ready');
    const billed = (await api.ok('GET', `/invoices?subscription=${subscription.id}`)).data;
    expect(billed.map((row: Json) => row.customer.id)).toEqual([kept.id, kept.id]);
  });

  it('and merged on: everything ends with the last one', async () => {
    const [a, b, c] = [await aCustomer(api), await aCustomer(api), await aCustomer(api)];
    await adjust(api, a.id, 1);
    await adjust(api, b.id, 2);
    expect(await merge(api, b.id, a.id)).toMatchObject({ status: 201 });
    expect(await merge(api, c.id, b.id)).toMatchObject({ status: 201 });
    await settled(api, b.id);
    await eventually('the money is there', async () => (await balances(api, c.id))[0] === 300);
    expect(await balances(api, b.id)).toEqual([]);
  });

  it('unless something speaks against it: then nothing is done', async () => {
    const target = await aCustomer(api);
    const other = await system.sandbox();
    const foreign = await aCustomer(other.api);
    const swiss = await aCustomer(api, { currencyCode: 'CHF' });
    expect(codes(await preview(api, target.id, swiss.id))).toEqual(['currencies_differ']);
    expect(codes(await preview(api, target.id, target.id))).toContain('same_customer');
    const refused = await merge(api, target.id, swiss.id);
    expect(refused).toMatchObject({
      status: 422,
      body: { reason: 'customers_not_mergeable', violations: [{ code: 'currencies_differ' }] },
    });
    expect(await merge(api, target.id, foreign.id)).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
    expect(await merge(api, foreign.id, target.id)).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
    expect((await api.post('/customers/merge', { targetCustomerId: target.id, sourceCustomerIds: [] })).status).toBe(
      422,
    );

    const rich = await aCustomer(api);
    await adjust(api, target.id, 5);
    await adjust(api, rich.id, 5, 'USD');
    expect(codes(await preview(api, target.id, rich.id))).toEqual(['wallet_currencies_differ']);
    const richest = await aCustomer(api);
    await adjust(api, richest.id, 45_000_000_000_000);
    await adjust(api, richest.id, 45_071_992_547_409.91);
    expect(codes(await preview(api, target.id, richest.id))).toEqual(['wallet_too_large']);
    expect(await merge(api, target.id, richest.id)).toMatchObject({ status: 422 });

    const parent = await aCustomer(api);
    const child = await aCustomer(api);
    await api.ok('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: parent.id });
    expect(codes(await preview(api, child.id, parent.id))).toEqual(['hierarchy_invalid']);
    expect(await merge(api, target.id, parent.id)).toMatchObject({ status: 201 });
    expect((await api.ok('GET', `/customers/${child.id}`)).parentCustomerId).toBe(target.id);

    const archived = await aCustomer(api);
    await api.ok('PUT', `/customers/${archived.id}/archive`, {});
    expect(codes(await preview(api, archived.id, rich.id))).toEqual(['target_archived']);
    expect(codes(await preview(api, target.id, archived.id))).toEqual([]);
  });

  it('unless usage was billed by days that end at another time: a late event has them measured again', async () => {
    const seller = (await system.sandbox({ now: NOW })).api;
    const east = await aCustomer(seller);
    await seller.ok('PUT', `/customers/${east.id}/settings`, { timeZone: 'Asia/Tokyo' });
    const [billed, unbilled] = [await aCustomer(seller), await aCustomer(seller)];
    const { id: usageMetric } = await seller.ok('POST', '/api/usage-metrics', {
      code: 'calls', name: 'Calls', eventName: 'call', aggregationType: 'sum', property: 'n',
    }); // prettier-ignore
    const { pricePlan } = await priced(seller, { type: 'per_unit', price: { amount: 100 }, usageMetric });
    const items = [{ pricePlan: pricePlan.id }];
    const { id } = await seller.ok('POST', '/subscriptions', { customer: billed.id, items, activate: true });
    await advance(seller, '2026-04-02T09:00:00.000Z');
    await seller.ok('PUT', `/subscriptions/${id}/terminate`, {});
    await eventually('nothing is being billed', async () => {
      const found = codes(await preview(seller, east.id, billed.id));
      return !found.includes('being_billed') && found.length > 0;
    });
    expect(codes(await preview(seller, east.id, billed.id))).toEqual(['time_zones_differ']);
    expect((await merge(seller, east.id, billed.id)).status).toBe(422);
    expect(codes(await preview(seller, east.id, unbilled.id))).toEqual([]);
    // What has ended has its usage measured again as well, and then by the events of both.
    await seller.ok('POST', '/subscriptions', { customer: unbilled.id, items, activate: true });
    expect(codes(await preview(seller, unbilled.id, billed.id))).toEqual(['metered_twice']);
    expect(codes(await preview(seller, billed.id, unbilled.id))).toEqual(['metered_twice']);
  });
});

describe('the process is killed while customers are merged', () => {
  it('and the merge is completed afterwards, with balanced books', async () => {
    const system = await System.sharedToBeKilled();
    const { api } = await system.sandbox();
    const target = await aCustomer(api);
    const sources: string[] = [];
    for (let n = 1; n <= 3; n++) {
      const { id } = await aCustomer(api);
      await unpaidInvoice(api, id);
      await adjust(api, id, n);
      sources.push(id);
    }
    const merging = merge(api, target.id, ...sources).catch(() => null);
    await eventually('one is merged', async () => {
      const first = await api.ok('GET', `/customers/${sources[0]}`);
      return first.mergedIntoCustomerId === target.id;
    });
    system.kill();
    await merging;
    await system.start();
    expect(await merge(api, target.id, ...sources)).toMatchObject({ status: 201 });
    await settled(api, target.id);
    expect(await balances(api, target.id)).toEqual([600]);
    expect(await customersOf(api, `/invoices?customer=${target.id}`)).toHaveLength(3);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });
});
