import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SubscriptionChanged } from '@kontor/contracts';
import { recordMovements } from '../src/analytics/record-movements.js';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const NONE = { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0, transfer: 0 };

/** `{ month, mrr, new, … }` with bare amounts, of the months of half a year. */
async function mrr(world: World, query = '') {
  const { data } = await world.ok('GET', `/analytics/mrr?from=2026-01&to=2026-06${query}`);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  return data.map((row: any) => ({
    month: row.month,
    group: row.group,
    mrr: row.mrr.amount,
    subscriptions: row.subscriptions,
    ...Object.fromEntries(Object.keys(NONE).map((kind) => [kind, row[kind].amount])),
  }));
}

/** Half a year with every kind of movement. */
async function lives(world: World) {
  const monthly = await world.price();
  const yearly = await world.price({ billingInterval: '1Y', price: { amount: 10000 } });
  const usd = await world.price({ currencyCode: 'USD', price: { amount: 500 } });
  const once = await world.price({ price: { amount: 99900 } }, { type: 'charge' });
  const german = await world.customer();
  const austrian = await world.customer({ countryCode: 'AT' });
  const grown = await world.subscribe(german, monthly, { items: [{ pricePlan: monthly, quantity: '2' }] });
  await world.subscribe(austrian, yearly, { items: [{ pricePlan: yearly }, { pricePlan: once }] });
  await world.subscribe(german, usd);
  await world.ok('POST', '/coupons', {
    code: 'TEN',
    name: 'Ten',
    type: 'percentage',
    percentage: '10',
    frequency: 'lifetime',
  });
  const onTrial = await world.subscribe(austrian, monthly, {
    trialDays: 31,
    items: [{ pricePlan: monthly, coupon: 'TEN' }],
  });
  await world.advance('2026-02-10T09:00:00.000Z');
  const [item] = grown.items;
  await world.ok('PATCH', `/subscription-items/${item.id}`, { quantity: '5', timing: 'immediately' });
  await world.advance('2026-03-05T09:00:00.000Z');
  await world.ok('PATCH', `/subscription-items/${item.id}`, { quantity: '3' });
  await world.ok('PUT', `/subscriptions/${onTrial.id}/pause`);
  await world.advance('2026-04-20T09:00:00.000Z');
  await world.ok('PUT', `/subscriptions/${onTrial.id}/resume`);
  await world.ok('PUT', `/subscriptions/${grown.id}/cancel`, { cancellationDateType: 'next_possible' });
  await world.advance('2026-06-15T09:00:00.000Z');
  return { german, grown };
}

describe('recurring revenue', () => {
  it('moves as subscriptions do, by month and currency', async () => {
    const world = await World.at(billing, '2026-01-05T09:00:00.000Z');
    await lives(world);
    const yearly = 833;
    expect((await mrr(world, '&currencyCode=EUR')).map(({ group: _, ...row }: { group: null }) => row)).toEqual([
      { ...NONE, month: '2026-01', mrr: 2000 + yearly, new: 2000 + yearly, subscriptions: 2 },
      { ...NONE, month: '2026-02', mrr: 5900 + yearly, new: 900, expansion: 3000, subscriptions: 3 },
      { ...NONE, month: '2026-03', mrr: 5000 + yearly, churn: -900, subscriptions: 2 },
      // The lower quantity begins with the next period; the trial's subscription goes on.
      { ...NONE, month: '2026-04', mrr: 3900 + yearly, contraction: -2000, reactivation: 900, subscriptions: 3 },
      { ...NONE, month: '2026-05', mrr: 900 + yearly, churn: -3000, subscriptions: 2 },
      { ...NONE, month: '2026-06', mrr: 900 + yearly, subscriptions: 2 },
    ]);
    const dollars = await mrr(world, '&currencyCode=USD');
    expect(dollars.map((row: { mrr: number }) => row.mrr)).toEqual([500, 500, 500, 500, 500, 500]);
    const { data: arr } = await world.ok('GET', '/analytics/arr?from=2026-06&to=2026-06&groupBy=country');
    expect(arr).toEqual([
      { month: '2026-06', currencyCode: 'EUR', group: 'AT', arr: eur(10800 + 10000), subscriptions: 2 },
      {
        month: '2026-06',
        currencyCode: 'USD',
        group: 'DE',
        arr: { amount: 6000, currencyCode: 'USD' },
        subscriptions: 1,
      },
    ]);
    const { data: churn } = await world.ok('GET', '/analytics/churn?from=2026-05&to=2026-05&currencyCode=EUR');
    expect(churn).toEqual([
      {
        month: '2026-05',
        currencyCode: 'EUR',
        group: null,
        subscriptionsAtStart: 3,
        subscriptionsLost: 1,
        subscriptionChurnRate: '33.33',
        mrrAtStart: eur(4733),
        mrrLost: eur(3000),
        grossChurnRate: '63.38',
        netChurnRate: '63.38',
      },
    ]);
  });

  it('is the same from events that are read again, one by one or all at once, as it was live', async () => {
    const world = await World.at(billing, '2026-01-05T09:00:00.000Z');
    await lives(world);
    const events = (
      await billing.test.peek<{ payload: SubscriptionChanged | string }>(
        `SELECT payload FROM outbox WHERE tenant_id = $1 AND type = 'billing.subscription.changed.v1' ORDER BY id`,
        [world.tenant.id],
      )
    ).map(({ payload }) => (typeof payload === 'string' ? (JSON.parse(payload) as SubscriptionChanged) : payload));
    const { database } = billing.test.service.kit;
    const rows = () =>
      database.tenant(world.tenant.id, (tx) =>
        tx.query(
          'SELECT * FROM recurring_movement WHERE tenant_id = $1 ORDER BY subscription_id, day, currency_code, kind',
          [tx.tenantId],
        ),
      );
    const live = await rows();
    expect(live.length).toBeGreaterThan(8);
    const replay = (batches: SubscriptionChanged[][]) =>
      database.tenant(world.tenant.id, async (tx) => {
        await tx.query('DELETE FROM recurring_movement WHERE tenant_id = $1', [tx.tenantId]);
        for (const batch of batches) await recordMovements(tx, batch);
      });
    for (const batches of [[events], events.map((event) => [event])]) {
      await replay(batches);
      expect(await rows()).toEqual(live);
    }
  });

  it('of monthly subscriptions is what a month charges, to the cent, by plan too', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const tiered = await world.price({
      type: 'tiered',
      price: undefined,
      tiers: [
        { upTo: '10', unitPrice: { amount: 333 }, flatPrice: { amount: 0 } },
        { upTo: null, unitPrice: { amount: 299 }, flatPrice: { amount: 101 } },
      ],
    });
    const flat = await world.price({ type: 'flat_fee', price: { amount: 4999 } });
    const plan = async (code: string, pricePlan: string, quantity: string): Promise<string> =>
      (await world.ok('POST', '/plans', { code, name: code, status: 'active', items: [{ pricePlan, quantity }] })).id;
    const small = await plan('small', tiered, '13');
    const large = await plan('large', flat, '1');
    const customer = await world.customer();
    await world.ok('POST', '/coupons', {
      code: 'C',
      name: 'C',
      type: 'percentage',
      percentage: '12.5',
      frequency: 'lifetime',
    });
    const sold = [];
    for (const [n, code] of [small, small, large].entries())
      sold.push(
        await world.ok('POST', '/subscriptions', {
          customer,
          plan: code,
          activate: true,
          ...(n === 1 ? { coupon: 'C' } : {}),
        }),
      );
    await world.advance('2026-02-01T09:00:00.000Z');
    const charged = (await world.batches())
      .filter(({ billingDay }) => billingDay === '2026-02-01')
      .flatMap(({ lines }) => lines)
      .reduce((sum, { netAmount, discountAmount }) => sum + netAmount.amount - (discountAmount?.amount ?? 0), 0);
    const [, february] = await mrr(world);
    expect(february.mrr).toBe(charged);
    await world.ok('POST', `/subscriptions/${sold[0].id}/change-plan`, { plan: large, timing: 'immediately' });
    await world.advance('2026-03-02T09:00:00.000Z');
    const byPlan = (await mrr(world, '&groupBy=plan')).filter(({ month }: { month: string }) => month === '2026-02');
    const thirteen = 3330 + 3 * 299 + 101;
    expect(byPlan).toEqual([
      {
        ...NONE,
        month: '2026-02',
        group: 'large',
        mrr: 2 * 4999,
        expansion: 4999 - thirteen,
        transfer: thirteen,
        subscriptions: 2,
      },
      {
        ...NONE,
        month: '2026-02',
        group: 'small',
        mrr: charged - 4999 - thirteen,
        transfer: -thirteen,
        subscriptions: 1,
      },
    ]);
  });

  it('is refused where a sum is beyond what a number carries', async () => {
    const world = await World.at(billing, '2026-01-10T09:00:00.000Z');
    const large = await world.price({ billingInterval: '1Y', price: { amount: 6_000_000_000_000_000 } });
    for (let n = 0; n < 2; n++) await world.subscribe(await world.customer(), large, {});
    await world.advance('2026-02-10T09:00:00.000Z');
    expect(await world.tenant.call('GET', '/analytics/arr?from=2026-01&to=2026-02')).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
    expect(await mrr(world)).toMatchObject([{ mrr: 1_000_000_000_000_000 }, {}]);
  });

  it('is asked for months, and refuses what is unknown; another tenant sees nothing', async () => {
    const world = await World.at(billing, '2026-01-05T09:00:00.000Z');
    for (const report of ['mrr', 'arr', 'churn', 'usage']) {
      const path = `/analytics/${report}`;
      expect(await world.ok('GET', `${path}?from=2024-01&to=2026-12`)).toEqual({ data: [] });
      for (const query of [
        '',
        'from=2026-01',
        'from=2026-02&to=2026-01',
        'from=2026-01&to=2026-02&groupBy=product',
        'from=2026-01&to=2026-02&x=1',
      ])
        expect((await world.tenant.call('GET', `${path}?${query}`)).body).toMatchObject({
          status: 400,
          reason: 'invalid_request',
        });
    }
  });
});
