import { beforeAll, expect, it } from '@jest/globals';
import { howMany, showProgress, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { confirmCart } from './support/carts.js';
import { type RandomCart, randomCart, randomSeller } from './support/random-carts.js';
import { advance, System } from './support/system.js';

const CARTS_OF_SELLER = 4;
const SELLERS = howMany(2, 80);
const DAY = 86_400_000;

let system: System;
let anybody: Api;
let sold = 0;

beforeAll(async () => {
  system = await System.shared();
  anybody = new Api(system.connection.baseUrl, undefined);
});

interface Place {
  readonly n: number;
  /** Of what is measured. */
  readonly metric: string;
}

const addressIn = (countryCode: string, more: Json = {}): Json => ({
  street: 'Ring',
  houseNumber: '1',
  zip: '1010',
  city: 'Wien',
  countryCode,
  ...more,
});

/** A link with all that the cart is of. */
async function linkOf(api: Api, cart: RandomCart, { n, metric }: Place): Promise<Json> {
  const groups = (await api.ok('GET', '/tax-groups')).data;
  const items = [];
  for (const { isOneTime, isMeasured, taxGroup, quantity, price } of cart.items) {
    const product = {
      type: isOneTime ? 'charge' : 'product',
      taxGroup: groups.find(({ type }: Json) => type === taxGroup).id,
    };
    const { pricePlan } = await priced(
      api,
      { ...price, currencyCode: cart.currency, ...(isMeasured && { usageMetric: metric }) },
      product,
    );
    items.push({ pricePlan: pricePlan.id, ...(!isMeasured && { quantity }) });
  }
  if (cart.coupon) {
    const { fixedAmount } = cart.coupon;
    await api.ok('POST', '/coupons', {
      ...cart.coupon,
      ...(fixedAmount && { fixedAmount: { ...fixedAmount, currencyCode: cart.currency } }),
      code: `C${n}`,
    });
  }
  return api.ok('POST', '/checkout-links', {
    items,
    options: { trialDays: cart.trialDays, quantityEditable: true, minQuantity: '0.333' },
  });
}

/** Fills a cart and orders it; the cart as it is then. */
async function buy(api: Api, cart: RandomCart, place: Place): Promise<Json> {
  const link = await linkOf(api, cart, place);
  const { n } = place;
  const [country, vatId] = cart.place;
  const known =
    cart.knownIn === null ? null : await aCustomer(api, { countryCode: cart.knownIn, currencyCode: cart.currency });
  const made = await api.ok('POST', `/checkout-links/${link.id}/cart`, known ? { customer: known.id } : {});
  const path = `/public/checkout/cart/${made.token}`;
  if (cart.coupon) await anybody.ok('PUT', `${path}/coupon`, { couponCode: `c${n}` });
  if (cart.changedTo !== null)
    await anybody.ok('PUT', `${path}/change-quantity`, { item: made.items[0].id, quantity: cart.changedTo });
  const buyer = cart.isCompany ? { companyName: 'Kaffee GmbH' } : { firstName: 'Jule', lastName: 'Brandt' };
  const address = addressIn(country, { ...buyer, vatId });
  let order: Json = { phone: '1', email: `b${n}@x.example` };
  if (!known) {
    // Some say who they are before they order, and some with the order.
    if (cart.namesTotal) await anybody.ok('PUT', `${path}/invoice-address`, address);
    order = { ...order, newInvoiceAddress: address };
  } else if (!cart.namesTotal) {
    const other = await api.ok(
      'POST',
      `/customers/${known.id}/addresses`,
      addressIn(country, { type: 'TYPE_INVOICE', companyName: 'Kaffee' }),
    );
    order = { invoiceAddressId: other.id };
  }
  if (cart.namesTotal) order.expectedTotal = (await anybody.ok('GET', path)).totals.gross;
  const answer = await confirmCart(anybody, path, order);
  expect([answer.status, answer.body.status]).toEqual([200, 'completed']);
  const ordered = await api.ok('GET', `/checkout/carts/${made.id}`);
  if (cart.namesTotal) expect(ordered.totals.gross).toEqual(order.expectedTotal);
  return ordered;
}

const amounts = ({ net, tax, gross, discount }: Json): number[] =>
  [net, tax, gross, discount].map(({ amount }: Json) => amount);

/** The first invoice has the cart's lines and totals. */
async function compare(api: Api, shown: Json): Promise<void> {
  const { invoice: billed, subscription } = shown;
  const find = billed ? `/invoices/${billed.id}` : `/invoices?subscription=${subscription.id}&order%5Bnumber%5D=asc`;
  const invoice = await eventually<Json>(`the first invoice of ${shown.billingDate}`, async () => {
    const { status, body } = await api.get(find);
    const found = status === 200 ? (billed ? body : body.data[0]) : undefined;
    return found?.finalizationDate ? found : undefined;
  });
  const zero = { amount: 0, currencyCode: shown.currencyCode };
  expect({
    currency: invoice.grossAmount.currencyCode,
    totals: amounts({
      net: invoice.netAmount,
      tax: invoice.taxAmount,
      gross: invoice.grossAmount,
      discount: invoice.discountAmount ?? zero,
    }),
    lines: invoice.positions.map(({ name, quantity, netAmount, discountAmount }: Json) => [
      name,
      quantity,
      netAmount.amount,
      discountAmount?.amount ?? 0,
    ]),
  }).toEqual({
    currency: shown.currencyCode,
    totals: amounts(shown.totals),
    lines: shown.lines.map(({ name, quantity, netAmount, discountAmount }: Json) => [
      name,
      quantity,
      netAmount.amount,
      discountAmount?.amount ?? 0,
    ]),
  });
}

const sales = fc.asyncProperty(
  randomSeller,
  fc.array(randomCart, { minLength: CARTS_OF_SELLER, maxLength: CARTS_OF_SELLER }),
  async ({ now, ...settings }, carts) => {
    const { api } = await system.sandbox({ now });
    await api.ok('PUT', '/settings/billing', settings);
    const bought: Json[] = [];
    const { id: metric } = await api.ok('POST', '/api/usage-metrics', {
      code: 'calls',
      name: 'Calls',
      eventName: 'calls',
      aggregationType: 'count',
    });
    for (const [n, cart] of carts.entries()) bought.push(await buy(api, cart, { n, metric }));
    // What is free makes no invoice.
    const billed = bought.filter(({ invoice, totals }) => invoice || totals.gross.amount > 0);
    const days = billed.filter(({ invoice }) => !invoice).map(({ billingDate }) => Date.parse(billingDate));
    if (days.length > 0) await advance(api, new Date(Math.max(...days) + DAY).toISOString());
    for (const cart of billed) await compare(api, cart);
    sold += bought.length;
    showProgress('carts', sold, SELLERS * CARTS_OF_SELLER);
  },
);

it(`a cart's lines and totals are those of its first invoice, to the cent, whatever is sold to whom (TEST_SEED=${testSeed})`, async () => {
  await fc.assert(sales, { seed: testSeed, numRuns: SELLERS, endOnFailure: true });
  expect(sold).toBe(SELLERS * CARTS_OF_SELLER);
});
