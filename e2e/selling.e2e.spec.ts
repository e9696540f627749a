import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { confirmCart } from './support/carts.js';
import { System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';

/** From an offer or a cart to the invoice, through all services. */
describe('selling', () => {
  let system: System;
  let api: Api;
  let anybody: Api;
  beforeAll(async () => {
    system = await System.shared();
    ({ api } = await system.sandbox({ now: NOW }));
    anybody = new Api(system.connection.baseUrl, undefined);
  });

  const buyer = (countryCode: string, more: Json = {}): Json => ({
    companyName: 'Wiener Kaffee GmbH',
    street: 'Ring',
    houseNumber: '1',
    zip: '1010',
    city: 'Wien',
    countryCode,
    ...more,
  });
  const invoiceOf = (subscription: string): Promise<Json> =>
    eventually('the invoice of the subscription', async () => {
      const { data } = await api.ok('GET', `/invoices?subscription=${subscription}`);
      return data[0]?.finalizationDate ? data[0] : undefined;
    });

  it('an offer is signed by its recipient, and its subscription is billed at the published price', async () => {
    const customer = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 4900 } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
    });
    const offer = await api.ok('POST', '/offers', {
      customer: customer.id,
      subscription: subscription.id,
      acceptanceMode: 'esignature',
      validUntil: '2026-04-01T00:00:00.000Z',
    });
    const { link } = await api.ok('POST', `/offers/${offer.id}/recipients`, { email: 'jule@backhaus-elbe.example' });
    const published = await api.ok('POST', `/offers/${offer.id}/publish`);
    expect(published.totals.gross).toEqual({ amount: 5831, currencyCode: 'EUR' });
    await api.ok('PUT', `/price-plans/${pricePlan.id}/archive`);
    const path = new URL(link).pathname;
    const seen = await anybody.ok('GET', path);
    expect(seen.totals).toEqual(published.totals);
    const signature = { name: 'Jule Brandt', signature: { type: 'typed', data: 'Jule Brandt' } };
    const signed = await anybody.ok('POST', `${path}/sign`, { ...signature, versionHash: seen.versionHash });
    expect(signed.status).toBe('signed');
    await eventually('the subscription is active', async () => {
      const { status } = await api.ok('GET', `/subscriptions/${subscription.id}`);
      return status === 'active';
    });
    await api.ok('POST', '/billing-runs', {});
    const invoice = await invoiceOf(subscription.id);
    expect(invoice.grossAmount).toEqual(published.totals.gross);
    expect((await api.ok('GET', `/offers/${offer.id}`)).sale).toEqual({
      state: 'done',
      failure: null,
      subscription: { id: subscription.id },
      invoice: null,
    });
  });

  it.each([
    ['a consumer in Germany', 'DE', null],
    ['a company in Austria', 'AT', 'ATU12345675'],
    ['a company whose VAT id is wrong', 'AT', 'ATU12345000'],
    ['a buyer in Switzerland', 'CH', null],
  ])('a cart is sold to %s for what it showed, to the cent', async (_name, countryCode, vatId) => {
    const { pricePlan: seats } = await priced(api, { type: 'per_unit', price: { amount: 1333 } });
    const { pricePlan: setup } = await priced(api, { price: { amount: 9999 } }, { type: 'charge', name: 'Setup' });
    const code = `C${countryCode}${vatId?.slice(-3) ?? ''}`;
    await api.ok('POST', '/coupons', { code, type: 'percentage', percentage: '12.5', frequency: 'once' });
    const cart = await api.ok('POST', '/checkout/carts', {
      items: [{ pricePlan: seats.id, quantity: '3' }, { pricePlan: setup.id }],
      metadata: { campaign: 'spring' },
    });
    const path = `/public/checkout/cart/${cart.token}`;
    await anybody.ok('PUT', `${path}/change-quantity`, { item: cart.items[0].id, quantity: '7' });
    await anybody.ok('PUT', `${path}/coupon`, { couponCode: code.toLowerCase() });
    await anybody.ok('PUT', `${path}/invoice-address`, buyer(countryCode));
    const shown = await anybody.ok('POST', `${path}/vat-id-check`, { vatId });
    expect(shown.totals.net.amount + shown.totals.tax.amount).toBe(shown.totals.gross.amount);
    expect(shown.totals.discount.amount).toBeGreaterThan(0);
    const order = {
      email: 'kaffee@wien.example',
      phone: '+43 1 1234',
      newInvoiceAddress: buyer(countryCode, { vatId }),
      gateway: 'testing',
      expectedTotal: shown.totals.gross,
      acceptedTerms: true,
    };
    const wrong = { ...order, expectedTotal: { ...shown.totals.gross, amount: shown.totals.gross.amount - 1 } };
    const refused = await confirmCart(anybody, path, wrong);
    expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirmCart(anybody, path, order)));
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, 'completed']));
    const paid = await eventually('the cart is paid', async () => {
      const found = await api.ok('GET', `/checkout/carts/${cart.id}`);
      return found.status === 'paid' ? found : undefined;
    });
    const { data: invoices } = await api.ok('GET', `/invoices?customer=${paid.customer.id}`);
    expect(invoices).toHaveLength(1);
    expect(invoices[0]).toMatchObject({
      id: paid.invoice.id,
      sourceType: 'cart',
      netAmount: shown.totals.net,
      taxAmount: shown.totals.tax,
      grossAmount: shown.totals.gross,
    });
    expect((await api.ok('GET', `/subscriptions?customer=${paid.customer.id}`)).data).toHaveLength(1);
  });

  it('a link with two sales sells exactly two, whoever is first', async () => {
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const link = await api.ok('POST', '/checkout-links', {
      slug: 'two',
      items: [{ pricePlan: pricePlan.id }],
      maxSales: 2,
      afterCheckout: { confirmationMessage: 'Danke!' },
    });
    const carts = await Promise.all([1, 2, 3, 4, 5].map(() => api.ok('POST', `/checkout-links/${link.id}/cart`, {})));
    const order = (n: number) => ({
      email: `b${n}@x.example`,
      phone: '1',
      newInvoiceAddress: buyer('DE', { zip: '20095', city: 'Hamburg' }),
    });
    const answers = await Promise.all(
      carts.map(({ token }, n) => confirmCart(anybody, `/public/checkout/cart/${token}`, order(n))),
    );
    expect(answers.map(({ status, body }) => (status === 200 ? body.action : body.reason)).sort()).toEqual([
      'confirmation_message',
      'confirmation_message',
      'sold_out',
      'sold_out',
      'sold_out',
    ]);
    expect((await api.ok('GET', `/checkout-links/${link.id}`)).sold).toBe(2);
    expect((await api.post(`/checkout-links/${link.id}/cart`)).body.reason).toBe('sold_out');
    expect((await api.delete(`/checkout-links/${link.id}`)).body.reason).toBe('in_use');
  });

  it('a cart with a coupon that has run out meanwhile is refused, and nobody was made a customer', async () => {
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const { id } = await api.ok('POST', '/coupons', {
      code: 'LAST',
      type: 'percentage',
      percentage: '10',
      frequency: 'once',
    });
    const cart = await api.ok('POST', '/checkout/carts', { items: [{ pricePlan: pricePlan.id }], couponCode: 'LAST' });
    await api.ok('PUT', `/coupons/${id}/toggle`);
    const before = (await api.ok('GET', '/customers')).meta.pagination.totalItems;
    const answer = await confirmCart(anybody, `/public/checkout/cart/${cart.token}`, {
      email: 'x@x.example',
      phone: '1',
      newInvoiceAddress: buyer('DE'),
      gateway: 'testing',
    });
    expect([answer.status, answer.body.reason]).toEqual([422, 'coupon_disabled']);
    expect((await api.ok('GET', '/customers')).meta.pagination.totalItems).toBe(before);
    expect((await api.ok('GET', `/checkout/carts/${cart.id}`)).status).toBe('open');
  });

  it.each([
    ['nobody who orders', {}, 400, 'invalid_request'],
    ['no consent', { acceptedTerms: false }, 422, 'terms_not_accepted'],
  ])('a confirmation with %s is refused', async (_name, body, status, reason) => {
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const cart = await api.ok('POST', '/checkout/carts', { items: [{ pricePlan: pricePlan.id }] });
    const answer = await confirmCart(anybody, `/public/checkout/cart/${cart.token}`, body);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
  });
});
