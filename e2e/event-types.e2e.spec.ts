import { beforeAll, describe, expect, it } from '@jest/globals';
import { differencesOfEvent, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

describe('event types', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('every event that a business causes is listed, and its example has the key and fields of the real one', async () => {
    const { api } = await system.sandbox();
    const { data: types } = await api.ok('GET', '/webhooks/event-types');
    const examples = new Map<string, Json>(types.map(({ type, example }: Json) => [type, example.data]));
    await causeEvents(api);
    const events: Json[] = await eventually('the events', async () => {
      const { data } = await api.ok('GET', '/events?limit=100');
      return (
        ['invoice.paid', 'wallet.topped_up', 'coupon.created', 'subscription.billed'].every((wanted) =>
          data.some((event: Json) => event.type === wanted),
        ) && data
      );
    });
    for (const { id, type, version, createdAt, sequence, data } of events) {
      const body = { event: { id, type, version, createdAt, sequence }, salesChannel: null, data };
      expect([type, types.some((known: Json) => known.type === type) ? differencesOfEvent(type, body) : []]).toEqual([
        type,
        [],
      ]);
      const shown = examples.get(type);
      expect([type, Object.keys(shown ?? {})]).toEqual([type, Object.keys(data)]);
      const [key] = Object.keys(data) as [string];
      const missing = Object.keys(shown[key]).filter((field) => !(field in data[key]));
      expect([type, missing]).toEqual([type, []]);
    }
    const receiver = { url: 'https://example.com/kontor', events: ['*'], enabled: false };
    const { id } = await api.ok('POST', '/webhooks', receiver);
    for (const { type } of types) await api.ok('PUT', `/webhooks/${id}`, { ...receiver, events: [type] });
    expect((await api.send('GET', '/events?type=invoice.paied')).status).toBe(400);
    expect((await api.send('GET', '/subscriptions?status=zzz')).status).toBe(400);
    expect((await api.send('GET', '/subscriptions?customer=zzz')).status).toBe(400);
    expect((await api.send('GET', '/api/usage-metrics?aggregationType=zzz')).status).toBe(400);
    expect((await api.send('GET', '/billing-runs?date=today')).status).toBe(400);
  });
});

async function causeEvents(api: Json): Promise<void> {
  const customer = await aCustomer(api);
  const { pricePlan } = await priced(api, { price: { amount: 10000 } });
  await api.ok('POST', '/coupons', { code: 'TEN', type: 'percentage', percentage: '10', frequency: 'once' });
  await api.ok('POST', '/payment-methods', { gateway: 'testing', customerId: customer.id });
  const items = [{ pricePlan: pricePlan.id }];
  const subscription = await api.ok('POST', '/subscriptions', { customer: customer.id, items });
  await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
  await api.ok('POST', '/api/wallet/top-up', { customerId: customer.id, amount: 50, currencyCode: 'EUR' });
  const offer = await api.ok('POST', '/offers', { customer: customer.id, name: 'Team' });
  await api.ok('POST', `/offers/${offer.id}/publish`);
}
