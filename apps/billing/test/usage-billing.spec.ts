import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventOf, usageCorrectionV1, type UsageMetricState } from '@kontor/contracts';
import { DomainError, newUuid } from '@kontor/kernel';
import { completeMerge, moveCustomerRows, recordMerge } from '@kontor/persistence';
import { servicePrincipal } from '@kontor/testing';
import type { QuantityRequest } from '../src/domain/metering/metered.js';
import { rescheduleAccounts } from '../src/billing-accounts/accounts.js';
import { OWNED_ROWS } from '../src/merging/owned-rows.js';
import { MeteredSources } from '../src/metering/metered-sources.js';
import { OnUsageCorrected } from '../src/billing-runs/on-usage-corrected.js';
import { UsageMeter } from '../src/metering/usage-meter.js';
import { Billing } from './support/billing.js';
import { day, expectInvariants, World } from './support/world.js';

/** Usage as the usage service would answer it: frozen by closing. */
class Usage {
  readonly asked: QuantityRequest[][] = [];
  readonly frozen = new Map<
    string,
    { quantity: string; groups: { group: Record<string, string>; quantity: string }[] }
  >();
  away = false;
  of: (request: QuantityRequest) => string | Record<string, string> = () => '0';

  measure = async (_tenantId: string, requests: readonly QuantityRequest[], { freeze }: { freeze: boolean }) => {
    this.asked.push([...requests]);
    if (this.away) throw new DomainError('usage_unavailable', { kind: 'unavailable' });
    return new Map(
      requests.map((request) => {
        const now = this.of(request);
        const groups =
          typeof now === 'string'
            ? []
            : Object.entries(now).map(([region, quantity]) => ({ group: { region }, quantity }));
        const total =
          typeof now === 'string'
            ? now
            : String(Object.values(now).reduce((sum, quantity) => sum + Number(quantity), 0));
        const amounts = this.frozen.get(request.key) ?? { quantity: total, groups };
        if (freeze) this.frozen.set(request.key, amounts);
        return [request.key, { ...amounts, closingId: freeze ? request.key : null }] as const;
      }),
    );
  };
}

let billing: Billing;
let usage: Usage;
beforeAll(async () => {
  billing = await Billing.start();
  const sources = billing.test.service.get(MeteredSources) as MeteredSources;
  usage = new Usage();
  sources.register({ source: 'usage', measure: (...args) => usage.measure(...args) });
});
afterEach(async () => {
  await expectInvariants();
  Object.assign(usage, { away: false, of: () => '0' });
  usage.asked.length = 0;
});
afterAll(async () => billing?.stop());

async function metric(world: World, state: Partial<UsageMetricState> = {}): Promise<string> {
  const id = newUuid();
  await billing.test.giveCopy('usage_metric', world.tenant.id, id, {
    id, code: 'api_calls', name: 'API calls', status: 'active', eventName: 'api_call', aggregationType: 'sum',
    property: 'n', unit: 'calls', groupBy: ['region'], rounding: null, ...state,
  } satisfies UsageMetricState); // prettier-ignore
  return id;
}

const correct = async (world: World, customerId: string, closingId: string): Promise<void> => {
  const consumer = billing.test.service.get(OnUsageCorrected) as OnUsageCorrected;
  const payload: EventOf<typeof usageCorrectionV1>['payload'] = {
    closingId, customerId, itemId: newUuid(), metricId: newUuid(), period: { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' },
  }; // prettier-ignore
  await billing.test.service.kit.database.tenant(world.tenant.id, (tx) => consumer.handle([{ payload }] as never, tx));
};

const perCall = { payInAdvance: true, price: { amount: 5, precision: 3 } };
const inMarch = (from: string) => day(from) === '2026-03-01';

describe('a price plan with a usage metric', () => {
  it('is billed afterwards whatever it says, and shows its metric', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const id = await world.price({
      ...perCall, usageMetric, freeUnits: '10', minimumPrice: { amount: 100 },
      groupPrices: [{ group: { region: 'eu' }, price: { amount: 7, precision: 3 }, freeUnits: 5 }],
    }); // prettier-ignore
    const plan = await world.ok('GET', `/price-plans/${id}`);
    expect(plan).toMatchObject({
      payInAdvance: false,
      usageMetric: { id: usageMetric, code: 'api_calls', unit: 'calls', groupBy: ['region'] },
      groupPrices: [
        { group: { region: 'eu' }, price: { amount: 7, precision: 3, currencyCode: 'EUR' }, tiers: [], freeUnits: 5 },
      ],
    });
    await world.subscribe(await world.customer(), id);
    const same = {
      product: plan.product.id,
      type: 'per_unit',
      currencyCode: 'EUR',
      billingInterval: '1M',
      usageMetric,
      freeUnits: 10,
      minimumPrice: { amount: 100 },
      price: { amount: 5, precision: 3 },
      groupPrices: [{ group: { region: 'eu' }, price: { amount: 7, precision: 3 }, freeUnits: 5 }],
    };
    expect(await world.ok('PUT', `/price-plans/${id}`, { ...same, internalName: 'calls' })).toMatchObject({
      internalName: 'calls',
    });
    expect(await world.tenant.call('PUT', `/price-plans/${id}`, { ...same, groupPrices: [] })).toMatchObject({
      status: 422,
      body: { reason: 'price_plan_in_use' },
    });
  });

  it.each([
    ['an archived metric', { status: 'archived' }, {}, 'unknown_reference'],
    ['a group that the metric has not', {}, { groupPrices: [{ group: { city: 'x' }, price: { amount: 1 } }] }, 'validation_failed'],
    [
      'a group twice', {},
      { groupPrices: [{ group: { region: 'x' }, price: { amount: 1 } }, { group: { region: 'x' }, price: { amount: 2 } }] },
      'validation_failed',
    ],
    ['a group without price', {}, { groupPrices: [{ group: { region: 'x' } }] }, 'validation_failed'],
    ['a product that is charged once', {}, { oneTime: true }, 'validation_failed'],
  ] as const)('%s is refused', async (_name, state, fields, reason) => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world, state);
    const { oneTime, ...rest } = { oneTime: false, ...fields };
    const { id } = await world.ok('POST', '/catalogue/products', { name: 'Calls', type: oneTime ? 'charge' : 'product' });
    const body = { product: id, type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', ...perCall, usageMetric, ...rest };
    expect(await world.tenant.call('POST', '/price-plans', body)).toMatchObject({ status: 422, body: { reason } });
  }); // prettier-ignore
});

describe('usage on an invoice', () => {
  it('comes at the end of its period, in one call for all accounts, with what it was rated from', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const price = await world.price({ ...perCall, usageMetric, freeUnits: 100 });
    const customers = [await world.customer(), await world.customer()];
    for (const customer of customers)
      expect(await world.subscribe(customer, price)).toMatchObject({ items: [{ status: 'active' }] });
    usage.of = () => '1234.5';
    await world.advance('2026-04-02T00:00:00.000Z');
    expect(usage.asked.map((requests) => requests.length)).toEqual([2]);
    const batches = await world.batches();
    // (1234.5 − 100) × 0.005 = 5.6725
    expect(batches.flatMap((batch) => batch.lines)).toMatchObject(
      customers.map(() => ({
        kind: 'regular', quantity: '1134.5', unit: { name: 'calls' }, unitPrice: { amount: 5, precision: 3 }, netAmount: { amount: 567 },
        serviceFrom: '2026-02-28T23:00:00.000Z', serviceTo: '2026-03-31T22:00:00.000Z', description: 'Verbrauch 1234,5 calls; 100 Einheiten frei',
        usage: { metricId: usageMetric, metricName: 'API calls', quantity: '1234.5', unit: 'calls', group: null },
      })),
    ); // prettier-ignore
  });

  it('prices groups by themselves and adds up the rest, on one line', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const groupPrices = [{ group: { region: 'eu' }, price: { amount: 1 }, freeUnits: 5 }, { group: { region: 'us' }, price: { amount: 2 } }]; // prettier-ignore
    await world.subscribe(
      await world.customer({ language: 'en' }),
      await world.price({ usageMetric, price: { amount: 3 }, groupPrices }),
    );
    usage.of = () => ({ eu: '105', us: '10', asia: '1', africa: '2' });
    await world.advance('2026-04-02T00:00:00.000Z');
    expect((await world.batches())[0]?.lines).toMatchObject([
      { quantity: '1', unit: null, netAmount: { amount: 100 + 20 + 9 }, description: 'Usage 118 calls; eu: 100 × 0.01 + us: 10 × 0.02 + 3 × 0.03 EUR' },
    ]); // prettier-ignore
  });

  it('waits for the grace, which moves the whole account', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    await world.ok('PUT', '/settings/billing', { usageGraceHours: 48 });
    const customer = await world.customer();
    await world.subscribe(customer, await world.price({ ...perCall, usageMetric: await metric(world) }));
    await world.subscribe(customer, await world.price({ payInAdvance: false, price: { amount: 700 } }));
    usage.of = () => '1000';
    await world.advance('2026-04-02T21:59:59.999Z');
    expect(await world.lines()).toEqual([]);
    await world.advance('2026-04-02T22:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-04-01: regular 2026-03-01..2026-04-01 500',
      '2026-04-01: regular 2026-03-01..2026-04-01 700',
    ]);
    await world.ok('POST', '/billing-runs', {});
  });

  it('a run by request waits for no grace', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    await world.ok('PUT', '/settings/billing', { usageGraceHours: 48 });
    await world.subscribe(await world.customer(), await world.price({ ...perCall, usageMetric: await metric(world) }));
    usage.of = () => '1000';
    await world.advance('2026-04-01T09:00:00.000Z');
    await world.ok('POST', '/billing-runs', {});
    await world.idle();
    expect(await world.lines()).toEqual(['2026-04-01: regular 2026-03-01..2026-04-01 500']);
  });

  it('of which nobody answers is billed later, on the invoice with everything else; other accounts are billed', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const customer = await world.customer();
    const arrears = await world.price({ payInAdvance: false, price: { amount: 700 } });
    const { id } = await world.subscribe(customer, await world.price({ ...perCall, usageMetric }));
    await world.subscribe(customer, arrears);
    await world.subscribe(await world.customer(), arrears);
    usage.away = true;
    await world.advance('2026-04-01T01:00:00.000Z');
    expect(await world.lines()).toEqual(['2026-04-01: regular 2026-03-01..2026-04-01 700']);
    const [run] = (await world.ok('GET', '/billing-runs')).data;
    expect(run).toMatchObject({
      due: 2,
      billed: 1,
      failed: 1,
      failures: [{ subscriptionId: id, reason: 'usage_unavailable' }],
    });
    await world.advance('2026-04-01T01:06:00.000Z');
    Object.assign(usage, { away: false, of: () => '1000' });
    await world.advance('2026-04-01T01:11:00.000Z');
    expect((await world.batches()).map((batch) => batch.lines.map((line) => line.netAmount.amount))).toEqual([
      [700],
      [500, 700],
    ]);
    expect((await world.ok('GET', `/billing-runs/${run.id}`)).failures).toEqual([]);
    expect(await world.ok('GET', `/billing-runs/${run.id}`)).toMatchObject({ due: 3, billed: 3, failed: 0 });
  });

  it('accounts without usage make no call', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    await world.subscribe(await world.customer(), await world.price());
    await world.advance('2026-05-02T00:00:00.000Z');
    expect(usage.asked).toEqual([]);
  });
});

describe('usage that is not available', () => {
  it('is a refusal that says so', async () => {
    const meter = billing.test.service.get(UsageMeter) as UsageMeter;
    await expect(meter.measure(newUuid(), [], { now: new Date(), freeze: true })).rejects.toMatchObject({
      reason: 'usage_unavailable',
      kind: 'unavailable',
    });
  });

  it('does not keep other items from being billed immediately', async () => {
    const world = await World.at(billing, '2026-03-20T09:00:00.000Z');
    const items = [
      { pricePlan: await world.price({ ...perCall, usageMetric: await metric(world) }) },
      { pricePlan: await world.price() },
    ];
    const { id } = await world.ok('POST', '/subscriptions', {
      customer: await world.customer(),
      items,
      billingStart: '2026-02-20T09:00:00.000Z',
    });
    await world.ok('PUT', `/subscriptions/${id}/activate`, { billImmediately: true });
    expect(await world.lines()).toEqual([
      '2026-03-20: regular 2026-02-20..2026-03-20 1000',
      '2026-03-20: regular 2026-03-20..2026-04-20 1000',
    ]);
    usage.of = () => '100';
    await world.advance('2026-03-21T09:00:00.000Z');
    expect((await world.lines()).at(-1)).toBe('2026-03-20: regular 2026-02-20..2026-03-20 50');
  });
});

describe('the end of a period', () => {
  it('is the change day: the used part has its share of free units and minimum price, and the new price the rest', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const old = await world.price({
      usageMetric,
      price: { amount: 10 },
      freeUnits: 100,
      minimumPrice: { amount: 3100 },
    });
    const { items } = await world.subscribe(await world.customer(), old);
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '40' : '21');
    await world.advance('2026-03-11T09:00:00.000Z');
    const next = await world.price({ usageMetric, price: { amount: 20 }, freeUnits: 1 });
    await world.ok('POST', `/subscription-items/${items[0].id}/change`, { pricePlan: next, timing: 'immediate' });
    await world.advance('2026-04-02T00:00:00.000Z');
    // 40 − ⌈100 × 10/31⌉ = 7 units are less than 31.00 × 10/31; 21 − ⌈1 × 21/31⌉ = 20 at 0.20.
    expect(await world.lines()).toEqual([
      '2026-03-11: regular 2026-03-01..2026-03-11 1000',
      '2026-04-01: regular 2026-03-11..2026-04-01 400',
    ]);
  });

  it('is the cancellation; what was used before a pause is billed when it is over', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const price = await world.price({ ...perCall, usageMetric: await metric(world) });
    const cancelled = await world.subscribe(await world.customer(), price);
    const paused = await world.subscribe(await world.customer(), price);
    const terminated = await world.subscribe(await world.customer(), price);
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '1000' : '200');
    await world.advance('2026-03-11T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${cancelled.id}/cancel`, { cancellationDateType: 'immediate' });
    await world.ok('PUT', `/subscriptions/${paused.id}/pause`, {});
    await world.ok('PUT', `/subscriptions/${terminated.id}/terminate`, {});
    await world.advance('2026-03-21T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${paused.id}/resume`, {});
    await world.advance('2026-04-02T00:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-11: regular 2026-03-01..2026-03-11 500',
      '2026-03-11: regular 2026-03-01..2026-03-11 500',
      '2026-04-01: regular 2026-03-21..2026-04-01 100',
    ]);
  });
});

describe('the time zone of a customer', () => {
  const moved = (world: World, customer: string, timeZone: string | null) =>
    world.tenant.call('PUT', `/customers/${customer}/settings`, { timeZone });

  it('stays once usage was billed by its days: no hour is billed twice, or never', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const usageMetric = await metric(world);
    const customer = await world.customer();
    const { id } = await world.subscribe(customer, await world.price({ ...perCall, usageMetric }));
    // Nothing is billed yet.
    expect((await moved(world, customer, 'Asia/Tokyo')).status).toBe(200);
    expect((await moved(world, customer, null)).status).toBe(200);
    await world.advance('2026-04-02T09:00:00.000Z');
    const refused = await moved(world, customer, 'Asia/Tokyo');
    expect([refused.status, refused.body.reason]).toEqual([422, 'time_zone_in_use']);
    // The same zone by its name is none of another.
    expect((await moved(world, customer, 'Europe/Berlin')).status).toBe(200);
    expect((await moved(world, customer, null)).status).toBe(200);
    await world.advance('2026-05-02T09:00:00.000Z');
    const [first, second] = usage.asked.flat().map(({ fromInstant, toInstant }) => [fromInstant, toInstant]);
    expect(second![0]).toEqual(first![1]);
    // A late event has the whole period measured again, when all has ended, too.
    await world.ok('PUT', `/subscriptions/${id}/terminate`, {});
    expect((await moved(world, customer, 'Asia/Tokyo')).body.reason).toBe('time_zone_in_use');
  });

  it('changes while only days are billed, and what is due is due by the new one', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    await world.subscribe(customer, await world.price());
    await world.advance('2026-03-02T09:00:00.000Z');
    const due = async () =>
      (await billing.test.peek<{ at: Date }>(
        `SELECT due_at AS at FROM due_work WHERE tenant_id = $1 AND kind = 'billing.account' AND ref = $2`,
        [world.tenant.id, customer],
      ))[0]?.at.toISOString(); // prettier-ignore
    const before = await due();
    expect((await moved(world, customer, 'America/Los_Angeles')).status).toBe(200);
    expect([before, await due()]).toEqual(['2026-04-01T01:00:00.000Z', '2026-04-02T01:00:00.000Z']);
  });
});

describe('a correction', () => {
  const tiers = [
    { upTo: '100', unitPrice: { amount: 10 } },
    { upTo: null, unitPrice: { amount: 5 } },
  ];

  async function billedMarch() {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const price = await world.price({
      type: 'tiered',
      price: null,
      tiers,
      usageMetric: await metric(world),
      minimumPrice: { amount: 50 },
    });
    const customer = await world.customer();
    const subscription = await world.subscribe(customer, price);
    usage.of = () => '90';
    await world.advance('2026-04-02T00:00:00.000Z');
    const [closingId] = (await world.batches()).flatMap((batch) => batch.lines.map((line) => line.usage!.closingId));
    return { world, customer, subscription, closingId: closingId! };
  }

  it('re-rates the whole period on the next invoice, once for any number of late events, up and down', async () => {
    const { world, customer, closingId } = await billedMarch();
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '110' : '10');
    await correct(world, customer, closingId);
    await correct(world, customer, closingId);
    await world.advance('2026-04-20T00:00:00.000Z');
    expect(await world.lines()).toHaveLength(1);
    await world.advance('2026-05-02T00:00:00.000Z');
    const lines = await world.lines();
    expect(lines.slice(1)).toEqual([
      '2026-05-01: regular 2026-04-01..2026-05-01 100',
      '2026-05-01: correction 2026-03-01..2026-04-01 150',
    ]);
    const correction = (await world.batches())[1]!.lines[1]!;
    expect(correction).toMatchObject({
      quantity: '1', usage: { quantity: '20' }, unit: null,
      description: 'Korrektur: Verbrauch 110 calls statt 90; richtig 10,50 EUR, berechnet 9,00 EUR',
    }); // prettier-ignore
    // A void takes it below the minimum.
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '1' : '10');
    await correct(world, customer, correction.usage!.closingId);
    await world.advance('2026-06-02T00:00:00.000Z');
    expect((await world.lines()).at(-1)).toBe('2026-06-01: correction 2026-03-01..2026-04-01 -1000');
    expect((await world.batches()).at(-1)!.lines.at(-1)).toMatchObject({ quantity: '-1', unitPrice: { amount: 1000 } });
    await world.advance('2026-07-02T00:00:00.000Z');
    expect((await world.lines()).filter((line) => line.includes('correction'))).toHaveLength(2);
    const { data } = await world.ok('GET', '/analytics/usage?from=2026-03&to=2026-04&groupBy=country');
    const api = { currencyCode: 'EUR', group: 'DE', metric: { name: 'API calls', unit: 'calls' } };
    expect(data).toMatchObject([
      { ...api, month: '2026-03', quantity: '1', amount: { amount: 900 + 150 - 1000 } },
      { ...api, month: '2026-04', quantity: '10', amount: { amount: 100 } },
    ]);
  });

  it.each(['cancel', 'terminate'])('is billed on its own when the subscription has ended by %s', async (action) => {
    const { world, customer, subscription, closingId } = await billedMarch();
    await world.ok(
      'PUT',
      `/subscriptions/${subscription.id}/${action}`,
      action === 'cancel' ? { cancellationDateType: 'immediate' } : {},
    );
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '80' : '0');
    await world.advance('2026-04-05T00:00:00.000Z');
    await correct(world, customer, closingId);
    const preview = await world.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    expect(preview).toMatchObject({ billingDate: '2026-04-04T22:00:00.000Z', netAmount: { amount: -100 } });
    await world.advance('2026-04-06T12:00:00.000Z');
    expect((await world.lines()).filter((line) => line.includes('correction'))).toEqual([
      '2026-04-05: correction 2026-03-01..2026-04-01 -100',
    ]);
  });

  it('is previewed for the day on which what the customer has besides falls due', async () => {
    const { world, customer, subscription, closingId } = await billedMarch();
    const monthly = await world.price({ price: { amount: 700 } });
    const others = await world.subscribe(customer, monthly);
    await world.advance('2026-04-03T12:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${subscription.id}/terminate`);
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '80' : '0');
    await correct(world, customer, closingId);
    const preview = await world.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    const next = await world.ok('POST', `/subscriptions/${others.id}/preview-invoice`);
    expect(preview).toMatchObject({ billingDate: next.billingDate, netAmount: { amount: -100 } });
    await world.advance(new Date(Date.parse(next.billingDate) + 864e5).toISOString());
    expect((await world.lines()).filter((line) => line.includes('correction'))).toEqual([
      `${day(next.billingDate)}: correction 2026-03-01..2026-04-01 -100`,
    ]);
  });

  it('of a customer that is being merged belongs to the one that stays', async () => {
    const { world, customer, closingId } = await billedMarch();
    const target = await world.customer();
    const ids = [customer, target];
    const rows = OWNED_ROWS.filter(({ table }) => table !== 'customer_address');
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const merged = billing.test.service.kit.database.tenant(world.tenant.id, async (tx) => {
      await rescheduleAccounts(tx, ids, 'Europe/Berlin');
      locked();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const merge = await recordMerge(tx, { mergeId: newUuid(), sourceCustomerId: customer, targetCustomerId: target });
      await completeMerge(tx, merge, await moveCustomerRows(tx, merge, rows));
      await rescheduleAccounts(tx, ids, 'Europe/Berlin');
    });
    await isLocked;
    await Promise.all([merged, correct(world, customer, closingId)]);
    const marked = await billing.test.peek<{ customer_id: string }>(
      'SELECT customer_id FROM usage_correction WHERE tenant_id = $1',
      [world.tenant.id],
    );
    expect(marked).toEqual([{ customer_id: target }]);
  });

  it('that changes nothing is not shown, and the next one is still found', async () => {
    const { world, customer, closingId } = await billedMarch();
    await correct(world, customer, closingId);
    await world.advance('2026-05-02T00:00:00.000Z');
    expect(await world.lines()).toHaveLength(2);
    const rows = await billing.test.peek<{ closing_id: string }>(
      `SELECT closing_id FROM charge WHERE tenant_id = $1 AND kind = 'correction'`,
      [world.tenant.id],
    );
    expect(rows).toHaveLength(1);
    usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '91' : '0');
    await correct(world, customer, rows[0]!.closing_id);
    await world.advance('2026-06-02T00:00:00.000Z');
    expect((await world.lines()).at(-1)).toBe('2026-06-01: correction 2026-03-01..2026-04-01 10');
  });

  it('that is published before its line is stored is billed all the same', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    await world.subscribe(customer, await world.price({ ...perCall, usageMetric: await metric(world) }));
    usage.of = () => '1000';
    const measure = usage.measure;
    usage.measure = async (...args) => {
      const answer = await measure(...args);
      usage.measure = measure;
      await correct(world, customer, args[1][0]!.key);
      usage.of = (request) => (inMarch(request.fromInstant.toISOString()) ? '1200' : '0');
      return answer;
    };
    await world.advance('2026-05-02T00:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-04-01: regular 2026-03-01..2026-04-01 500',
      '2026-05-01: regular 2026-04-01..2026-05-01 0',
      '2026-05-01: correction 2026-03-01..2026-04-01 100',
    ]);
  });
});

describe('looking ahead', () => {
  it('the preview has usage so far, explained, and freezes nothing', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const { id } = await world.subscribe(
      await world.customer(),
      await world.price({ ...perCall, usageMetric: await metric(world), freeUnits: 100 }),
    );
    usage.of = () => '300';
    await world.advance('2026-03-15T09:00:00.000Z');
    const preview = await world.ok('POST', `/subscriptions/${id}/preview-invoice`);
    expect(preview).toMatchObject({
      netAmount: { amount: 100 },
      positions: [
        {
          quantity: '200',
          explanation: {
            freeUnits: 100,
            usage: { quantity: '300', unit: 'calls', name: 'API calls' },
            slices: [{ quantity: '200', amount: '1.00' }],
          },
        },
      ],
    }); // prettier-ignore
    expect(usage.frozen.size === 0 || ![...usage.frozen.values()].some(({ quantity }) => quantity === '300')).toBe(
      true,
    );
    const { data } = await world.ok('GET', `/subscriptions/${id}/timeline`);
    expect(data.find((entry: { upcoming: boolean }) => entry.upcoming)).toMatchObject({
      type: 'billing',
      usage: [{ usage: { quantity: '300' }, freeUnits: 100 }],
    });
    usage.away = true;
    expect(await world.tenant.call('POST', `/subscriptions/${id}/preview-invoice`)).toMatchObject({
      status: 503,
      body: { reason: 'usage_unavailable' },
    });
  });
});

describe('usage that is still to be billed', () => {
  it('begins with the end of what is billed, waits while a subscription is paused, and is over with it', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const flat = await world.price({ billingInterval: '1Y' });
    const price = await world.price({ ...perCall, usageMetric: await metric(world), billingInterval: '3M' });
    const since = async (): Promise<string | null> => {
      const send = billing.test.as(servicePrincipal(world.tenant.id, 'usage'));
      const { status, body } = await send('GET', '/internal/unbilled-usage');
      expect(status).toBe(200);
      return body.since;
    };
    await world.subscribe(await world.customer(), flat);
    expect(await since()).toBeNull();
    const customer = await world.customer();
    const { id } = await world.subscribe(customer, price);
    expect(await since()).toBe('2026-03-01');
    await world.advance('2026-05-31T00:00:00.000Z');
    expect(await since()).toBe('2026-03-01');
    await world.advance('2026-06-03T00:00:00.000Z');
    expect(await since()).toBe('2026-06-01');

    const closings = await billing.test.peek<{ id: string }>(
      'SELECT closing_id AS id FROM charge WHERE tenant_id = $1 AND closing_id IS NOT NULL',
      [world.tenant.id],
    );
    expect(closings).toHaveLength(1);
    await correct(world, customer, closings[0]!.id);
    expect(await since()).toBe('2026-03-01');
    await world.advance('2026-09-02T00:00:00.000Z');
    expect(await since()).toBe('2026-09-01');

    await world.ok('PUT', `/subscriptions/${id}/pause`);
    await world.advance('2027-06-10T00:00:00.000Z');
    expect(await since()).toBe('2026-09-01');
    await world.ok('PUT', `/subscriptions/${id}/terminate`);
    expect(await since()).toBeNull();
  });

  it('has not ended with its item, nor with a billing that is to be corrected, and may begin with a planned price', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const calls = await metric(world);
    const price = await world.price({ ...perCall, usageMetric: calls, billingInterval: '3M' });
    const since = async (): Promise<string | null> => {
      const send = billing.test.as(servicePrincipal(world.tenant.id, 'usage'));
      return (await send('GET', '/internal/unbilled-usage')).body.since;
    };
    const customer = await world.customer();
    const { id } = await world.subscribe(customer, price);
    await world.ok('PUT', `/subscriptions/${id}/cancel`, {
      cancellationDateType: 'custom',
      cancellationDate: '2026-04-09T22:00:00.000Z',
    });
    await world.advance('2026-04-09T23:00:00.000Z');
    expect((await world.ok('GET', `/subscriptions/${id}`)).status).toBe('cancelled');
    expect(await since()).toBe('2026-03-01');
    await world.advance('2026-04-12T00:00:00.000Z');
    expect(await world.lines()).toHaveLength(1);
    expect(await since()).toBeNull();

    const flat = await world.price({ type: 'flat_fee', price: { amount: 100 }, billingInterval: '1Y' });
    const { items } = await world.subscribe(customer, flat);
    const [line] = await billing.test.peek<{ closing_id: string }>(
      'SELECT closing_id FROM charge WHERE tenant_id = $1 AND closing_id IS NOT NULL',
      [world.tenant.id],
    );
    await world.advance('2026-04-14T00:00:00.000Z');
    await correct(world, customer, line!.closing_id);
    expect(await since()).toBe('2026-03-01');
    await world.advance('2027-04-14T00:00:00.000Z');
    expect(await since()).toBeNull();

    await world.ok('POST', `/subscription-items/${items[0].id}/change`, {
      pricePlan: price,
      timing: 'custom',
      changeDate: '2027-06-01T00:00:00.000Z',
    });
    expect(await since()).toBe('2027-06-01');
  });
});
