import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { Billing, type Tenant } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const tenPercent = { code: 'TEN', type: 'percentage', percentage: '10', frequency: 'lifetime' };
const fiveEuro = {
  code: 'FIVE',
  type: 'fixed_amount',
  fixedAmount: { amount: 500, currencyCode: 'EUR' },
  frequency: 'limited',
  frequencyInterval: 3,
};

describe('coupons', () => {
  it('are created, found by their code, replaced, toggled, archived; each change is published', async () => {
    const { body: product } = await tenant.call('POST', '/catalogue/products', { name: 'Team' });
    const { status, body: coupon } = await tenant.call('POST', '/coupons', {
      ...fiveEuro,
      maxRedemptions: 2,
      maxRedemptionsPerCustomer: 1,
      validUntil: '2026-12-31T23:00:00.000Z',
      products: { include: [product.id] },
    });
    expect(status).toBe(201);
    expect(coupon).toEqual({
      id: expect.any(String),
      code: 'FIVE',
      name: 'FIVE',
      type: 'fixed_amount',
      percentage: null,
      fixedAmount: { amount: 500, currencyCode: 'EUR' },
      frequency: 'limited',
      frequencyInterval: 3,
      status: 'active',
      maxRedemptions: 2,
      maxRedemptionsPerCustomer: 1,
      redemptions: 0,
      validUntil: '2026-12-31T23:00:00.000Z',
      products: { include: [{ id: product.id, name: 'Team', type: 'product', status: 'active' }], exclude: [] },
      isEnabled: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { body: list } = await tenant.call('GET', '/coupons?code=FIVE&isEnabled=true');
    expect(list.data).toEqual([coupon]);
    const { body: replaced } = await tenant.call('PUT', `/coupons/${coupon.id}`, { ...tenPercent, name: 'Ten off' });
    expect(replaced).toMatchObject({ code: 'TEN', name: 'Ten off', percentage: '10', fixedAmount: null });
    expect(replaced.products).toEqual({ include: [], exclude: [] });
    expect((await tenant.call('PUT', `/coupons/${coupon.id}/toggle`)).body).toMatchObject({ isEnabled: false });
    expect((await tenant.call('PUT', `/coupons/${coupon.id}/toggle`)).body).toMatchObject({ isEnabled: true });
    expect((await tenant.call('PUT', `/coupons/${coupon.id}/archive`)).body).toMatchObject({ status: 'archived' });
    expect((await tenant.call('DELETE', `/coupons/${coupon.id}`)).status).toBe(204);
    expect((await tenant.call('GET', `/coupons/${coupon.id}`)).status).toBe(404);
    const notices = await billing.notices(coupon.id);
    expect(notices.map(({ type }) => type)).toEqual([
      'coupon.created',
      'coupon.updated',
      'coupon.disabled',
      'coupon.enabled',
      'coupon.archived',
      'coupon.deleted',
    ]);
    expect(notices.at(-1)).toMatchObject({ data: { coupon: { code: 'TEN', status: 'archived' } } });
  });

  it('have a code that is unique whatever its case, and a product that is in use', async () => {
    const { body: product } = await tenant.call('POST', '/catalogue/products', { name: 'Pro' });
    await tenant.call('POST', '/coupons', { ...tenPercent, code: 'Summer', products: { exclude: [product.id] } });
    expect((await tenant.call('POST', '/coupons', { ...tenPercent, code: 'SUMMER' })).body).toMatchObject({
      status: 422,
      reason: 'already_exists',
      violations: [{ propertyPath: 'code' }],
    });
    expect((await tenant.call('DELETE', `/catalogue/products/${product.id}`)).body).toMatchObject({
      status: 422,
      reason: 'in_use',
    });
  });

  test.each<[string, object, number, string]>([
    ['no code', { code: undefined }, 400, 'code'],
    ['no frequency', { frequency: undefined }, 400, 'frequency'],
    ['another type', { type: 'fixed' }, 422, 'type'],
    ['both amounts', { fixedAmount: { amount: 1, currencyCode: 'EUR' } }, 422, 'fixedAmount'],
    ['no percentage', { percentage: null }, 422, 'percentage'],
    ['nothing off', { percentage: '0.00' }, 422, 'percentage'],
    ['more than everything', { percentage: '100.01' }, 422, 'percentage'],
    ['a number of intervals for ever', { frequencyInterval: 3 }, 422, 'frequencyInterval'],
    ['limited to nothing', { frequency: 'limited' }, 422, 'frequencyInterval'],
    ['no redemption', { maxRedemptions: 0 }, 422, 'maxRedemptions'],
    ['a product that does not exist', { products: { include: [newUuid()] } }, 422, 'products.include[0]'],
    [
      'an amount without currency',
      { type: 'fixed_amount', fixedAmount: { amount: 5 } },
      400,
      'fixedAmount.currencyCode',
    ],
  ])('with %s are refused', async (_name, change, status, propertyPath) => {
    const { body } = await tenant.call('POST', '/coupons', { ...tenPercent, code: newUuid(), ...change });
    expect(body).toMatchObject({ status });
    expect(body.violations.map((violation: { propertyPath: string }) => violation.propertyPath)).toContain(
      propertyPath,
    );
  });
});

describe('redeeming', () => {
  const percent = (code: string, change: object = {}) => ({ ...tenPercent, code, ...change });

  it('discounts each line of an item, shown with its status and its intervals, then is used up', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const customer = await world.customer();
    const coupon = await world.ok('POST', '/coupons', percent('TWICE', { frequency: 'limited', frequencyInterval: 2 }));
    const subscription = await world.ok('POST', '/subscriptions', {
      customer,
      items: [{ pricePlan: await world.price(), coupon: 'twice' }, { pricePlan: await world.price() }],
      activate: true,
    });
    const [item, other] = subscription.items;
    expect(other.appliedDiscounts).toEqual([]);
    expect(item.appliedDiscounts).toEqual([
      {
        id: expect.any(String),
        coupon: {
          id: coupon.id,
          code: 'TWICE',
          name: 'TWICE',
          type: 'percentage',
          percentage: '10',
          fixedAmount: null,
          frequency: 'limited',
          frequencyInterval: 2,
          isEnabled: true,
          createdAt: coupon.createdAt,
          updatedAt: coupon.updatedAt,
        },
        status: 'pending',
        discount: {
          name: 'TWICE',
          type: 'percentage',
          percentage: '10',
          fixedAmount: null,
          frequency: 'limited',
          frequencyInterval: 2,
        },
        appliedIntervals: 0,
        appliedAt: '2026-01-01T09:00:00.000Z',
      },
    ]);
    const preview = await world.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    expect(preview.positions[0]).toMatchObject({
      netAmount: { amount: 1000 },
      discountAmount: { amount: 100 },
      description: 'Rabatt TWICE 10 %',
      explanation: {
        discounts: [
          {
            id: item.appliedDiscounts[0].id,
            name: 'TWICE',
            type: 'percentage',
            percentage: '10',
            fixedAmount: null,
            amount: 100,
          },
        ],
      },
    });
    expect(preview).toMatchObject({ netAmount: { amount: 1900 }, discountAmount: { amount: 100 } });
    await world.advance('2026-03-02T09:00:00.000Z');
    expect(await discounted(world)).toEqual([
      '1000 - 100',
      '1000 - 0',
      '1000 - 100',
      '1000 - 0',
      '1000 - 0',
      '1000 - 0',
    ]);
    const after = await world.ok('GET', `/subscription-items/${item.id}`);
    expect(after.appliedDiscounts).toMatchObject([{ status: 'exhausted', appliedIntervals: 2 }]);
    const { data: timeline } = await world.ok('GET', `/subscriptions/${subscription.id}/timeline`);
    expect(timeline.filter(({ type, discountAmount }: Entry) => type === 'billed' && discountAmount)).toMatchObject([
      { discountAmount: { amount: 100 }, explanation: { discounts: [{ name: 'TWICE', amount: 100 }] } },
      { discountAmount: { amount: 100 }, explanation: { discounts: [{ name: 'TWICE', amount: 100 }] } },
    ]);
    expect(await billing.notices(coupon.id)).toMatchObject([
      { type: 'coupon.created' },
      {
        type: 'coupon.redeemed',
        customerId: customer,
        data: { coupon: { redemptions: 1 } },
        activity: { metadata: { code: 'TWICE', subscriptionId: subscription.id } },
      },
    ]);
  });

  it('for a subscription counts once, for all lines that the coupon is for, later ones too', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const [team, extra] = [await world.price(), await world.price()];
    const { product } = await world.ok('GET', `/price-plans/${extra}`);
    const coupon = await world.ok('POST', '/coupons', {
      ...fiveEuro,
      products: { exclude: [product.id] },
      maxRedemptions: 1,
    });
    const subscription = await world.ok('POST', '/subscriptions', {
      customer: await world.customer(),
      items: [{ pricePlan: team }, { pricePlan: extra }, { pricePlan: team }],
      coupon: coupon.id,
      activate: true,
    });
    const counts = (of: { items: { appliedDiscounts: [] }[] }) => of.items.map((item) => item.appliedDiscounts.length);
    expect(counts(subscription)).toEqual([1, 0, 1]);
    expect(await world.ok('GET', `/coupons/${coupon.id}`)).toMatchObject({ redemptions: 1 });
    await world.advance('2026-01-15T09:00:00.000Z');
    const added = await world.ok('POST', `/subscriptions/${subscription.id}/products`, { pricePlan: team });
    expect(counts(added)).toEqual([1, 0, 1, 1]);
    expect(added.items[3].appliedDiscounts).toMatchObject([{ status: 'active', appliedIntervals: 1 }]);
    await world.advance('2026-04-02T09:00:00.000Z');
    const last = await world.ok('GET', `/subscriptions/${subscription.id}`);
    expect(last.items[3].appliedDiscounts).toMatchObject([{ status: 'exhausted', appliedIntervals: 3 }]);
    // One discount is removed from all that share it; what is used up cannot be removed twice.
    const path = `/subscriptions/${subscription.id}/discounts/${last.items[0].appliedDiscounts[0].id}`;
    expect((await world.tenant.call('DELETE', path)).status).toBe(204);
    expect((await world.tenant.call('DELETE', path)).status).toBe(404);
    const removed = await world.ok('GET', `/subscriptions/${subscription.id}`);
    expect(removed.items.flatMap((item: Item) => item.appliedDiscounts.map(({ status }) => status))).toEqual(
      Array(3).fill('removed'),
    );
  });

  it('of the last one succeeds for one of sixteen at once; a deleted draft releases it', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const price = await world.price();
    const coupon = await world.ok('POST', '/coupons', percent('LAST', { maxRedemptions: 1 }));
    const customers = await Promise.all(Array.from({ length: 16 }, () => world.customer()));
    const answers = await Promise.all(
      customers.map((customer) =>
        world.tenant.call('POST', '/subscriptions', { customer, items: [{ pricePlan: price }], coupon: 'LAST' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(422)]);
    expect(new Set(answers.map(({ body }) => body.reason))).toEqual(new Set([undefined, 'coupon_exhausted']));
    expect(await world.ok('GET', `/coupons/${coupon.id}`)).toMatchObject({ redemptions: 1 });
    expect((await world.tenant.call('DELETE', `/coupons/${coupon.id}`)).body).toMatchObject({ reason: 'in_use' });
    const draft = answers.find(({ status }) => status === 201)?.body;
    expect((await world.tenant.call('DELETE', `/subscriptions/${draft.id}`)).status).toBe(204);
    expect(await world.ok('GET', `/coupons/${coupon.id}`)).toMatchObject({ redemptions: 0 });
    expect((await world.tenant.call('DELETE', `/coupons/${coupon.id}`)).status).toBe(204);
    expect(await billing.noticeTypes(coupon.id)).toEqual([
      'coupon.created',
      'coupon.redeemed',
      'coupon.exhausted',
      'coupon.released',
      'coupon.deleted',
    ]);
  });

  it('is limited per customer, also at once', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const [customer, other, price] = [await world.customer(), await world.customer(), await world.price()];
    await world.ok('POST', '/coupons', percent('TWO', { maxRedemptionsPerCustomer: 2 }));
    const redeem = (by: string) =>
      world.tenant.call('POST', '/subscriptions', { customer: by, items: [{ pricePlan: price }], coupon: 'TWO' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => redeem(customer)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await redeem(other)).status).toBe(201);
  });

  it('is refused with a reason, and leaves nothing behind', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const [customer, price] = [await world.customer(), await world.price()];
    const { product } = await world.ok('GET', `/price-plans/${price}`);
    const refusals: [string, object, string][] = [
      ['DISABLED', { isEnabled: false }, 'coupon_disabled'],
      ['EXPIRED', { validUntil: '2025-12-31T22:59:59.999Z' }, 'coupon_expired'],
      ['OTHER', { products: { exclude: [product.id] } }, 'coupon_not_applicable'],
      ['DOLLARS', { ...fiveEuro, fixedAmount: { amount: 500, currencyCode: 'USD' } }, 'coupon_not_applicable'],
    ];
    for (const [code, change] of refusals)
      await world.ok('POST', '/coupons', { ...percent(code), ...dropped(change), code });
    const archived = await world.ok('POST', '/coupons', percent('GONE'));
    await world.ok('PUT', `/coupons/${archived.id}/archive`);
    const before = await billing.counts();
    for (const [coupon, reason] of [
      ...refusals.map(([code, , why]) => [code, why]),
      ['GONE', 'coupon_disabled'],
      ['NOBODY', 'unknown_reference'],
      [newUuid(), 'unknown_reference'],
    ]) {
      const onItem = { customer, items: [{ pricePlan: price, coupon }] };
      expect((await world.tenant.call('POST', '/subscriptions', onItem)).body).toMatchObject({ status: 422, reason });
      const onAll = { customer, items: [{ pricePlan: price }], coupon };
      expect((await world.tenant.call('POST', '/subscriptions', onAll)).body).toMatchObject({ status: 422, reason });
    }
    expect(await billing.counts()).toEqual(before);
  });
});

describe('discounts of what is sold already', () => {
  it('come by hand and with coupons, go, and release an unused redemption', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price());
    const [item] = subscription.items;
    const path = `/subscription-items/${item.id}/discounts`;
    const byHand = {
      name: 'Treue',
      type: 'fixed_amount',
      fixedAmount: { amount: 300, currencyCode: 'EUR' },
      frequency: 'lifetime',
    };
    await world.ok('POST', path, byHand);
    const coupon = await world.ok('POST', '/coupons', { ...tenPercent, code: 'HALF', percentage: '50' });
    const { appliedDiscounts } = await world.ok('PATCH', `/subscription-items/${item.id}`, { coupon: 'half' });
    expect(appliedDiscounts).toMatchObject([
      { coupon: null, discount: { name: 'Treue', fixedAmount: { amount: 300, currencyCode: 'EUR' } } },
      { coupon: { code: 'HALF' }, discount: { percentage: '50' } },
    ]);
    expect((await world.tenant.call('POST', path, { coupon: 'HALF' })).body).toMatchObject({
      reason: 'already_exists',
    });
    await world.advance('2026-01-02T09:00:00.000Z');
    // Fixed first, then percentages: (10.00 - 3.00) / 2.
    expect(await discounted(world)).toEqual(['1000 - 650']);
    expect((await world.tenant.call('DELETE', `${path}/${appliedDiscounts[0].id}`)).status).toBe(204);
    await world.advance('2026-02-02T09:00:00.000Z');
    expect(await discounted(world)).toEqual(['1000 - 650', '1000 - 500']);
    // Used once: it stays counted.
    await world.tenant.call('DELETE', `${path}/${appliedDiscounts[1].id}`);
    expect(await world.ok('GET', `/coupons/${coupon.id}`)).toMatchObject({ redemptions: 1 });
    const again = await world.ok('POST', path, { coupon: 'HALF' });
    await world.tenant.call('DELETE', `${path}/${again.appliedDiscounts[2].id}`);
    expect(await world.ok('GET', `/coupons/${coupon.id}`)).toMatchObject({ redemptions: 1 });
    expect(await billing.noticeTypes(coupon.id)).toEqual([
      'coupon.created',
      'coupon.redeemed',
      'coupon.redeemed',
      'coupon.released',
    ]);
  });

  test.each<[string, object, number, string]>([
    ['nothing', {}, 422, 'coupon'],
    ['no name', { name: null }, 422, 'name'],
    ['no frequency', { frequency: null }, 422, 'frequency'],
    [
      'another currency',
      { type: 'fixed_amount', percentage: null, fixedAmount: { amount: 1, currencyCode: 'USD' } },
      422,
      'fixedAmount.currencyCode',
    ],
    ['terms beside a coupon', { coupon: 'TEN' }, 422, 'name'],
  ])('are refused with %s', async (_name, change, status, propertyPath) => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price());
    const body =
      Object.keys(change).length === 0
        ? {}
        : { name: 'x', type: 'percentage', percentage: '5', frequency: 'once', ...change };
    for (const path of [`/subscriptions/${subscription.id}`, `/subscription-items/${subscription.items[0].id}`])
      expect((await world.tenant.call('POST', `${path}/discounts`, body)).body).toMatchObject({
        status,
        violations: [{ propertyPath }],
      });
  });

  it('are credited with unused time as they were billed, and go on with the rest of the interval', async () => {
    const world = await World.at(billing, '2026-06-01T09:00:00.000Z');
    const [price, dearer] = [
      await world.price({ price: { amount: 6000 } }),
      await world.price({ price: { amount: 9000 } }),
    ];
    const subscription = await world.subscribe(await world.customer(), price);
    const [item] = subscription.items;
    const byHand = {
      name: 'Sommer',
      type: 'fixed_amount',
      fixedAmount: { amount: 1000, currencyCode: 'EUR' },
      frequency: 'once',
    };
    await world.ok('POST', `/subscriptions/${subscription.id}/discounts`, byHand);
    await world.advance('2026-06-11T09:00:00.000Z');
    const changed = await world.ok('POST', `/subscription-items/${item.id}/change`, {
      pricePlan: dearer,
      timing: 'immediately',
    });
    // 50.00 for 30 days: 20 of them go back. The new price of 20 days is 60.00, less the 6.67 that the credit released.
    expect(await discounted(world)).toEqual(['6000 - 1000', '-3333 - 0', '6000 - 667']);
    expect(changed.appliedDiscounts).toMatchObject([{ status: 'exhausted', appliedIntervals: 1 }]);
    await world.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await world.advance('2026-06-13T09:00:00.000Z');
    // Cancelled on the day of the change: all of the new line goes back, and its part of the discount with it.
    expect((await discounted(world)).slice(3)).toEqual(['-5333 - 0']);
  });

  it('wait for the end of a trial', async () => {
    const world = await World.at(billing, '2026-01-01T09:00:00.000Z');
    await world.ok('POST', '/coupons', { ...tenPercent, code: 'FIRST', frequency: 'once' });
    const subscription = await world.subscribe(await world.customer(), await world.price(), {
      trialDays: 14,
      coupon: 'FIRST',
    });
    await world.advance('2026-01-14T09:00:00.000Z');
    expect((await world.ok('GET', `/subscriptions/${subscription.id}`)).items[0].appliedDiscounts).toMatchObject([
      { status: 'pending' },
    ]);
    await world.advance('2026-02-16T09:00:00.000Z');
    expect(await discounted(world)).toEqual(['1000 - 100', '1000 - 0']);
  });
});

interface Entry {
  readonly type: string;
  readonly discountAmount: unknown;
}
interface Item {
  readonly appliedDiscounts: readonly { readonly status: string }[];
}

/** Billed lines, net before discount and discount. */
const discounted = async (world: World): Promise<string[]> =>
  (await world.batches()).flatMap(({ lines }) =>
    lines.map(({ netAmount, discountAmount }) => `${netAmount.amount} - ${discountAmount?.amount ?? 0}`),
  );

/** A change of the percentage's terms; a fixed amount replaces them. */
const dropped = (change: object): object => ('fixedAmount' in change ? { percentage: null, ...change } : change);
