import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { confirmCart } from './support/carts.js';
import { advance, System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';
const ADDRESS = { companyName: 'Kaffee GmbH', street: 'Ring', zip: '1010', city: 'Wien', countryCode: 'AT' };
const ORDER = { email: 'kaffee@wien.example', phone: '1', newInvoiceAddress: ADDRESS, gateway: 'testing' };

interface Filled {
  readonly api: Api;
  readonly pricePlan: Json;
  readonly coupon: Json;
  readonly link: Json;
  readonly cart: Json;
  readonly path: string;
}

/** What is refused between the view of a cart and its order: with a reason, and nothing of it done. */
describe('an order that comes too late', () => {
  let system: System;
  let anybody: Api;
  beforeAll(async () => {
    system = await System.shared();
    anybody = new Api(system.connection.baseUrl, undefined);
  });

  async function filled(): Promise<Filled> {
    const { api } = await system.sandbox({ now: NOW });
    const { pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
    const coupon = await api.ok('POST', '/coupons', {
      code: 'LAST',
      type: 'percentage',
      percentage: '10',
      frequency: 'once',
      maxRedemptions: 1,
      validUntil: '2026-03-02T20:00:00.000Z',
    });
    const link = await api.ok('POST', '/checkout-links', { items: [{ pricePlan: pricePlan.id }], maxSales: 1 });
    const cart = await api.ok('POST', `/checkout-links/${link.id}/cart`, { couponCode: 'LAST' });
    const path = `/public/checkout/cart/${cart.token}`;
    const shown = await anybody.ok('PUT', `${path}/invoice-address`, ADDRESS);
    expect(shown.totals.gross.amount).toBe(1080);
    return { api, pricePlan, coupon, link, cart, path };
  }

  const count = async (api: Api, path: string): Promise<number> =>
    (await api.ok('GET', `${path}?limit=1`)).meta.pagination.totalItems;

  const effects = async ({ api, link, coupon }: Filled): Promise<Json> => ({
    customers: await count(api, '/customers'),
    subscriptions: await count(api, '/subscriptions'),
    methods: await count(api, '/payment-methods'),
    invoices: await count(api, '/invoices'),
    sold: (await api.ok('GET', `/checkout-links/${link.id}`)).sold,
    redeemed: (await api.ok('GET', `/coupons/${coupon.id}`)).redemptions,
  });

  const oneWith = async ({ api, pricePlan }: Filled): Promise<void> => {
    const customer = await aCustomer(api);
    await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      coupon: 'LAST',
      activate: true,
    });
  };

  it.each<[string, string, (filled: Filled) => Promise<unknown>]>([
    ['its coupon is used up', 'coupon_exhausted', oneWith],
    ['its coupon has run out', 'coupon_expired', ({ api }) => advance(api, '2026-03-02T20:00:01.000Z')],
    ['its coupon was disabled', 'coupon_disabled', ({ api, coupon }) => api.ok('PUT', `/coupons/${coupon.id}/toggle`)],
    [
      'its price was archived',
      'no_longer_sold',
      ({ api, pricePlan }) => api.ok('PUT', `/price-plans/${pricePlan.id}/archive`),
    ],
    ['its time is over', 'cart_expired', ({ api }) => advance(api, '2026-03-03T09:00:00.000Z')],
  ])('is refused when %s', async (_name, reason, meanwhile) => {
    const all = await filled();
    await meanwhile(all);
    const before = await effects(all);
    for (const more of [{}, { expectedTotal: { amount: 1080, currencyCode: 'EUR' } }]) {
      const answer = await confirmCart(anybody, all.path, { ...ORDER, ...more });
      expect([answer.status, answer.body.reason]).toEqual([reason === 'cart_expired' ? 410 : 422, reason]);
    }
    const page = await fetch(all.cart.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ action: 'update', coupon: 'LAST', countryCode: 'AT' }),
    });
    expect(page.status).toBe(reason === 'cart_expired' ? 410 : 422);
    expect(await effects(all)).toEqual(before);
    const { state } = await all.api.ok('GET', `/checkout-links/${all.link.id}`);
    expect(state).toBe(reason === 'no_longer_sold' ? 'no_longer_sold' : 'on_sale');
    const { status } = await all.api.ok('GET', `/checkout/carts/${all.cart.id}`);
    expect(status).toBe(reason === 'cart_expired' ? 'expired' : 'open');
  });

  it('whose price is another one shows it, and is sold as soon as that was seen', async () => {
    const all = await filled();
    const other = { type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', product: all.pricePlan.product.id };
    await all.api.ok('PUT', `/price-plans/${all.pricePlan.id}`, { ...other, price: { amount: 2000 } });
    const before = await effects(all);
    const refused = await confirmCart(anybody, all.path, ORDER);
    expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
    expect(await effects(all)).toEqual(before);
    expect((await anybody.ok('GET', all.path)).totals.gross.amount).toBe(2160);
    const sold = await confirmCart(anybody, all.path, {
      ...ORDER,
      expectedTotal: { amount: 2160, currencyCode: 'EUR' },
    });
    expect(sold.body.status).toBe('completed');
    expect(await effects(all)).toMatchObject({ subscriptions: 1, sold: 1, redeemed: 1 });
  });

  it.each<[string, { coupon?: Json; price?: Json; product?: Json }]>([
    ['a discount ends earlier', { coupon: { frequencyInterval: 1 } }],
    ['it is due earlier', { price: { applyTrial: false } }],
    ['it is something else', { product: { name: 'Light' } }],
  ])('whose total is the same is refused where %s than was shown, and shown anew', async (_name, changed) => {
    const { api } = await system.sandbox({ now: NOW });
    const { pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
    const shown = { code: 'YEAR', type: 'percentage', percentage: '50', frequency: 'limited', frequencyInterval: 12 };
    const { id } = await api.ok('POST', '/coupons', shown);
    const options = { trialDays: 14 };
    const link = await api.ok('POST', '/checkout-links', { items: [{ pricePlan: pricePlan.id }], options });
    const carts = await Promise.all(
      ['Wien', 'Graz'].map(async (city) => {
        const { token } = await api.ok('POST', `/checkout-links/${link.id}/cart`, { couponCode: 'YEAR' });
        const path = `/public/checkout/cart/${token}`;
        const { totals } = await anybody.ok('PUT', `${path}/invoice-address`, ADDRESS);
        return { path, order: { ...ORDER, newInvoiceAddress: { ...ADDRESS, city }, expectedTotal: totals.gross } };
      }),
    );
    await api.ok('PUT', `/coupons/${id}`, { ...shown, ...changed.coupon });
    const price = { type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', price: { amount: 1000 } };
    await api.ok('PUT', `/price-plans/${pricePlan.id}`, { ...price, product: pricePlan.product.id, ...changed.price });
    if (changed.product) await api.ok('PUT', `/catalogue/products/${pricePlan.product.id}`, changed.product);
    for (const { path, order } of carts) {
      const refused = await confirmCart(anybody, path, order);
      expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
      expect((await confirmCart(anybody, path, order)).body.status).toBe('completed');
    }
  });

  it.each([
    ['says who orders', {}, { ...ADDRESS, countryCode: 'DE' }],
    ['says that somebody abroad does', {}, ADDRESS],
    ['costs nothing at first', { couponCode: 'FREE' }, null],
  ])('at a price that changed since it was shown is refused when it %s', async (_name, begun, address) => {
    const { api } = await system.sandbox({ now: NOW });
    const { pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
    await api.ok('POST', '/coupons', { code: 'FREE', type: 'percentage', percentage: '100', frequency: 'once' });
    const link = await api.ok('POST', '/checkout-links', { items: [{ pricePlan: pricePlan.id }] });
    const cart = await api.ok('POST', `/checkout-links/${link.id}/cart`, begun);
    const path = `/public/checkout/cart/${cart.token}`;
    if (address === null) await anybody.ok('PUT', `${path}/invoice-address`, ADDRESS);
    const { id: product } = pricePlan.product;
    const other = { type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', product };
    await api.ok('PUT', `/price-plans/${pricePlan.id}`, { ...other, price: { amount: 5000 } });
    const order = { ...ORDER, newInvoiceAddress: address ?? ADDRESS };
    const refused = await confirmCart(anybody, path, order);
    expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
    const [recurring] = (await anybody.ok('GET', path)).totals.recurring;
    expect(recurring.net.amount).toBe(5000);
    expect((await confirmCart(anybody, path, order)).body.status).toBe('completed');
  });

  it.each([
    ['by somebody new', null],
    ['to the address that the cart has', ADDRESS],
  ])(
    'that comes again at a price that changed is refused %s, though its first invoice is the same',
    async (_name, address) => {
      const { api } = await system.sandbox({ now: NOW });
      const { pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
      const setUp = await priced(
        api,
        { type: 'flat_fee', price: { amount: 5000 }, applyTrial: false },
        { type: 'charge' },
      );
      const items = [{ pricePlan: pricePlan.id }, { pricePlan: setUp.pricePlan.id }];
      const link = await api.ok('POST', '/checkout-links', { items, options: { trialDays: 30 } });
      const { token } = await api.ok('POST', `/checkout-links/${link.id}/cart`, {});
      const path = `/public/checkout/cart/${token}`;
      if (address) await anybody.ok('PUT', `${path}/invoice-address`, address);
      const { totals: shown } = await anybody.ok('GET', path);
      const other = { type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', product: pricePlan.product.id };
      await api.ok('PUT', `/price-plans/${pricePlan.id}`, { ...other, price: { amount: 10000 } });
      const order = { ...ORDER, newInvoiceAddress: address ?? { ...ADDRESS, countryCode: 'DE' } };
      const refused = await confirmCart(anybody, path, { ...order, expectedTotal: shown.gross });
      expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
      expect((await anybody.ok('GET', path)).totals.recurring[0].net.amount).toBe(10000);
      expect((await confirmCart(anybody, path, order)).body.status).toBe('completed');
    },
  );

  it('of another seller, or of prices in several currencies, is none', async () => {
    const all = await filled();
    const { api: other } = await system.sandbox({ now: NOW });
    expect((await other.get(`/checkout/carts/${all.cart.id}`)).status).toBe(404);
    expect((await other.put(`/public/checkout/cart/${all.cart.id}/confirm`, ORDER)).status).toBe(404);
    const foreign = await other.post('/checkout/carts', { items: [{ pricePlan: all.pricePlan.id }] });
    expect([foreign.status, foreign.body.reason]).toEqual([422, 'unknown_reference']);
    const { pricePlan: dollars } = await priced(all.api, { currencyCode: 'USD', price: { amount: 1000 } });
    const items = [{ pricePlan: all.pricePlan.id }, { pricePlan: dollars.id }];
    const customer = await aCustomer(all.api);
    const carts = await count(all.api, '/customers');
    for (const body of [{ items }, { items, customer: customer.id }, { items: [items[1]], customer: customer.id }]) {
      const mixed = await all.api.post('/checkout/carts', body);
      expect([mixed.status, mixed.body.reason]).toEqual([422, 'currency_mix']);
    }
    expect(await count(all.api, '/customers')).toBe(carts);
    // In dollars alone a buyer can have it.
    const sold = await all.api.ok('POST', '/checkout/carts', { items: [items[1]] });
    expect(sold.totals.gross).toEqual({ amount: 1190, currencyCode: 'USD' });
  });

  it('of too much or too little is refused, and the cart stays as it was', async () => {
    const { api, pricePlan } = await filled();
    const link = await api.ok('POST', '/checkout-links', {
      items: [{ pricePlan: pricePlan.id, quantity: '3' }],
      options: { quantityEditable: true, minQuantity: '2', maxQuantity: '9.5' },
    });
    const cart = await api.ok('POST', `/checkout-links/${link.id}/cart`, {});
    const path = `/public/checkout/cart/${cart.token}`;
    for (const quantity of ['0', '1', '1.999999999', '9.500000001', '10']) {
      const answer = await anybody.put(`${path}/change-quantity`, { item: pricePlan.id, quantity });
      expect([quantity, answer.status, answer.body.violations?.[0]?.code]).toEqual([quantity, 422, 'out_of_bounds']);
    }
    for (const quantity of ['-3', 'many', '1e3', '1000000000']) {
      const answer = await anybody.put(`${path}/change-quantity`, { item: pricePlan.id, quantity });
      expect([quantity, answer.status]).toEqual([quantity, 422]);
    }
    expect((await anybody.ok('GET', path)).items[0].quantity).toBe('3');
    for (const quantity of ['2', '9.5']) {
      const { items } = await anybody.ok('PUT', `${path}/change-quantity`, { item: pricePlan.id, quantity });
      expect(items[0].quantity).toBe(quantity);
    }
  });

  it('of next to nothing, which would cost nothing, is refused unless the seller allows it', async () => {
    const { api, pricePlan } = await filled();
    const quantityOf = async (quantity: string, options?: object) => {
      const items = [{ pricePlan: pricePlan.id, quantity }];
      const link =
        options &&
        (await api.ok('POST', '/checkout-links', { items, options: { quantityEditable: true, ...options } }));
      const { token } = link
        ? await api.ok('POST', `/checkout-links/${link.id}/cart`, {})
        : await api.ok('POST', '/checkout/carts', { items });
      return (wanted: string) =>
        anybody.put(`/public/checkout/cart/${token}/change-quantity`, { item: pricePlan.id, quantity: wanted });
    };
    for (const change of [
      await quantityOf('3'),
      await quantityOf('3', {}),
      await quantityOf('3', { maxQuantity: '9' }),
    ]) {
      const refused = await change('0.000000001');
      expect([refused.status, refused.body.violations?.[0]?.code]).toEqual([422, 'out_of_bounds']);
      expect((await change('1')).status).toBe(200);
    }
    const half = await quantityOf('0.5');
    expect([(await half('0.4')).status, (await half('0.5')).status]).toEqual([422, 200]);
    expect((await (await quantityOf('3', { minQuantity: '0.1' }))('0.1')).status).toBe(200);
  });
});
