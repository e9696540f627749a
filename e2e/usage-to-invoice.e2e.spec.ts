import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { invariants } from './support/invariants.js';
import { advance, System } from './support/system.js';

describe('from usage events to a line on the invoice', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('a month of calls is invoiced to the cent; late events and voids become a line of the next invoice, once', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z' });
    const customer = await aCustomer(api, { externalId: 'backhaus' });
    const metric = await api.ok('POST', '/api/usage-metrics', {
      code: 'api_calls', name: 'API calls', eventName: 'api_call', aggregationType: 'sum', property: 'calls', groupBy: ['region'], unit: 'Aufrufe',
    }); // prettier-ignore
    const { pricePlan } = await priced(
      api,
      {
        type: 'tiered', usageMetric: metric.id, freeUnits: 100,
        tiers: [{ upTo: '1000', unitPrice: { amount: 12, precision: 4 } }, { upTo: null, unitPrice: { amount: 8, precision: 4 }, flatPrice: { amount: 500 } }],
        groupPrices: [{ group: { region: 'us' }, tiers: [{ upTo: null, unitPrice: { amount: 25, precision: 4 } }] }],
      },
      { name: 'API' },
    ); // prettier-ignore
    expect(pricePlan).toMatchObject({ payInAdvance: false, usageMetric: { id: metric.id, code: 'api_calls' } });
    const refused = await api.post('/price-plans', {
      product: pricePlan.product.id,
      type: 'per_unit',
      currencyCode: 'EUR',
      billingInterval: '1M',
      price: { amount: 1 },
      usageMetric: randomUUID(),
    });
    expect(refused).toMatchObject({ status: 422, body: { reason: 'unknown_reference' } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      activate: true,
    });
    expect(subscription.items[0]).toMatchObject({ status: 'active' });

    await advance(api, '2026-03-20T09:00:00.000Z');
    await ingest(api, [
      call('backhaus', '2026-03-02T10:00:00+01:00', 700),
      call('backhaus', '2026-03-10T12:00:00Z', 500.5),
      call('backhaus', '2026-03-15T12:00:00Z', 333, 'us'),
    ]);
    const preview = await api.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    // 1200.5 − 100 free = 1000 × 0.0012 + 100.5 × 0.0008 + 5.00 and 333 × 0.0025 = 7.1129
    expect(preview).toMatchObject({
      netAmount: { amount: 711 },
      positions: [{ explanation: { usage: { quantity: '1533.5', unit: 'Aufrufe' }, freeUnits: 100 } }],
    });
    await advance(api, '2026-03-31T22:30:00.000Z');
    await ingest(api, [call('backhaus', '2026-03-31T23:59:59.999+02:00', 1000), call('backhaus', '2026-04-01T00:00:00+02:00', 50, 'us')]); // prettier-ignore

    await advance(api, '2026-04-02T09:00:00.000Z');
    const [march] = await invoices(api, customer.id);
    // 2200.5 − 100 = 1000 × 0.0012 + 1100.5 × 0.0008 + 5.00 and 333 × 0.0025 = 7.9129
    expect(march).toMatchObject({
      netAmount: { amount: 791 }, taxAmount: { amount: 150 }, grossAmount: { amount: 941 }, status: 'STATUS_UNPAID',
      serviceDateFrom: '2026-02-28T23:00:00.000Z', serviceDateTo: '2026-03-31T21:59:59.999Z',
      positions: [{ name: 'API', quantity: '1', netAmount: { amount: 791 } }],
    }); // prettier-ignore
    expect(march.positions[0].description).toBe(
      'Verbrauch 2533,5 Aufrufe; us: 333 × 0,0025 + 1000 × 0,0012 + 1100,5 × 0,0008 + 5,00 pauschal EUR; 100 Einheiten frei',
    );

    // Two late events and a void, at several times: one line.
    await ingest(api, [call('backhaus', '2026-03-25T12:00:00Z', 10_000)]);
    await ingest(api, [call('backhaus', '2026-03-26T12:00:00Z', 2_000)]);
    await advance(api, '2026-04-20T09:00:00.000Z');
    await voidEvent(api, customer.id, '2026-03-15T12:00:00.000Z');
    await advance(api, '2026-05-02T09:00:00.000Z');
    const [april, ...others] = await invoices(api, customer.id);
    expect(others).toHaveLength(1);
    // March anew: 14200.5 − 100 = 1.20 + 13100.5 × 0.0008 + 5.00 = 16.6804 → 16.68 − 7.91 = 8.77; April: 50 × 0.0025 = 0.125 → 0.13
    expect(april.positions.map((line: Json) => line.netAmount.amount)).toEqual([13, 877]);
    expect(april.positions[1]).toMatchObject({
      serviceDateFrom: '2026-02-28T23:00:00.000Z',
      description: 'Korrektur: Verbrauch 14200,5 Aufrufe statt 2533,5; richtig 16,68 EUR, berechnet 7,91 EUR',
    });

    // A void that makes the next document a credit, after the subscription has ended.
    await api.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await advance(api, '2026-05-10T09:00:00.000Z');
    await voidEvent(api, customer.id, '2026-03-25T12:00:00.000Z');
    await advance(api, '2026-05-12T09:00:00.000Z');
    const all = await invoices(api, customer.id);
    expect(all[0]).toMatchObject({ type: 'TYPE_CREDIT', positions: [{ netAmount: { amount: -800 } }] });
    const timeline = await api.ok('GET', `/subscriptions/${subscription.id}/timeline`);
    expect(
      timeline.data.filter((entry: Json) => entry.type === 'corrected').map((entry: Json) => entry.netAmount.amount),
    ).toEqual([877, -800]);
    await advance(api, '2026-08-12T09:00:00.000Z');
    expect(await invoices(api, customer.id)).toHaveLength(all.length);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  it('whatever comes whenever, all invoices together are the price of what was used', async () => {
    const { api } = await system.sandbox({ now: '2026-01-01T09:00:00.000Z' });
    const metric = await api.ok('POST', '/api/usage-metrics', {
      code: 'gb',
      name: 'Traffic',
      eventName: 'gb',
      aggregationType: 'sum',
      property: 'calls',
    });
    const tiers = [
      { upTo: '100', unitPrice: { amount: 7 } },
      { upTo: null, unitPrice: { amount: 3 }, flatPrice: { amount: 11 } },
    ];
    const { pricePlan } = await priced(
      api,
      { type: 'tiered', usageMetric: metric.id, tiers, freeUnits: 5, minimumPrice: { amount: 40 } },
      { name: 'Traffic' },
    );
    const customers = await Promise.all(['a', 'b', 'c'].map((externalId) => aCustomer(api, { externalId })));
    for (const { id } of customers)
      await api.ok('POST', '/subscriptions', { customer: id, items: [{ pricePlan: pricePlan.id }], activate: true });
    const used = new Map<string, number>();
    const anEvent = fc.record({
      customer: fc.constantFrom('a', 'b', 'c'),
      month: fc.integer({ min: 1, max: 3 }),
      day: fc.integer({ min: 1, max: 27 }),
      n: fc.integer({ min: 0, max: 90 }),
    });
    const [batches] = fc.sample(
      fc.array(fc.array(anEvent, { minLength: 1, maxLength: 6 }), { minLength: 14, maxLength: 14 }),
      {
        numRuns: 1,
        seed: SEED,
      },
    );
    const voidable: Json[] = [];
    for (const [n, batch] of batches!.entries()) {
      await advance(api, new Date(Date.UTC(2026, 0, 4 + n * 7, 9)).toISOString());
      const now = Date.UTC(2026, 0, 4 + n * 7, 9);
      const events = batch
        .map((event) => ({ ...event, at: Date.UTC(2026, event.month - 1, event.day, 12) }))
        .filter(({ at }) => at <= now);
      if (events.length > 0)
        await ingest(
          api,
          events.map(({ customer, at, n: calls }) => ({
            ...call(customer, new Date(at).toISOString(), calls),
            eventName: 'gb',
          })),
        );
      for (const { customer, month, n: calls } of events)
        used.set(`${customer}${month}`, (used.get(`${customer}${month}`) ?? 0) + calls);
      voidable.push(...events);
      const gone = n % 3 === 2 ? voidable.splice(0, 1)[0] : undefined;
      if (gone === undefined) continue;
      const { id } = customers['abc'.indexOf(gone.customer)]!;
      await voidEvent(api, id, new Date(gone.at).toISOString(), gone.n);
      used.set(`${gone.customer}${gone.month}`, used.get(`${gone.customer}${gone.month}`)! - gone.n);
    }
    await advance(api, '2026-06-03T09:00:00.000Z');
    for (const [i, { id }] of customers.entries()) {
      const billed = (await invoices(api, id))
        .flatMap((invoice) => invoice.positions)
        .reduce((sum: number, line: Json) => sum + line.netAmount.amount, 0);
      const months = [1, 2, 3, 4, 5].map((month) => priceOf(used.get(`${'abc'[i]}${month}`) ?? 0));
      expect({ seed: SEED, customer: i, billed }).toEqual({
        seed: SEED,
        customer: i,
        billed: months.reduce((sum, price) => sum + price, 0),
      });
    }
  });
});

const SEED = Date.now() % 1_000_000;

/** By hand: 5 free, 100 at 0.07, then 0.03 and 0.11 once, at least 0.40. Cents. */
function priceOf(used: number): number {
  const units = Math.max(0, used - 5);
  return Math.max(40, units <= 100 ? units * 7 : 700 + (units - 100) * 3 + 11);
}

const call = (customerId: string, timestamp: string, calls: number, region = 'eu'): Json => ({
  transactionId: randomUUID(), eventName: 'api_call', timestamp, customerId, properties: { calls, region },
}); // prettier-ignore

async function ingest(api: Api, events: Json[]): Promise<void> {
  const answer = await api.post('/api/usage-events', { events });
  expect(answer).toMatchObject({ status: 202, body: { ingested: events.length, failed: 0 } });
}

async function voidEvent(api: Api, customerId: string, timestamp: string, calls?: number): Promise<void> {
  const from = encodeURIComponent(timestamp);
  const { data } = await api.ok(
    'GET',
    `/api/usage-events?customerId=${customerId}&from=${from}&direction=ASC&limit=100`,
  );
  const found = data.find(
    (event: Json) =>
      event.timestamp === timestamp && !event.voidedAt && (calls === undefined || event.properties.calls === calls),
  );
  await api.ok('POST', `/api/usage-events/${found.id}/void`);
}

/** Newest first, all of them finalized. */
async function invoices(api: Api, customerId: string): Promise<Json[]> {
  return eventually('all documents are finalized', async () => {
    const { data } = await api.ok('GET', `/invoices?customer=${customerId}&limit=100&order[creationDate]=desc`);
    return data.every((invoice: Json) => invoice.number !== null) && data;
  });
}
