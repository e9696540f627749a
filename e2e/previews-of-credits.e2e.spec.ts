import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

const START = '2026-03-01T09:00:00.000Z';
const inCountry = (countryCode: string, more: Json = {}): Json => ({
  companyName: 'Kaffee und Kuchen GmbH',
  firstName: 'Anne',
  lastName: 'Roux',
  language: 'de',
  vatId: null,
  street: 'Ring',
  houseNumber: '1',
  zip: '10100',
  city: 'Stadt',
  countryCode,
  ...more,
});
const CONSUMER = { companyName: null };
const VALID = { vatId: 'ATU12345675' };

/** What a preview says of money, as far as a document says it too. */
const moneyOf = ({ netAmount, discountAmount, taxAmount, grossAmount, taxes, positions }: Json): Json => ({
  totals: [netAmount, discountAmount, taxAmount, grossAmount],
  taxes,
  positions: positions.map((position: Json) => ({
    name: position.name,
    quantity: position.quantity,
    unitPrice: position.unitPrice,
    netAmount: position.netAmount,
    taxAmount: position.taxAmount,
    grossAmount: position.grossAmount,
    rate: position.tax?.rate ?? null,
    category: position.taxCategory,
    note: position.taxNote,
    exemptionCode: position.taxExemptionCode,
  })),
});

describe('the preview of a credit is the document that follows, to the cent', () => {
  let api: Api;
  let larger: Json;
  let sold: Map<string, { customer: Json; subscription: Json }>;
  const documentsOf = async (customer: string, type: string): Promise<Json[]> =>
    (await api.ok('GET', `/invoices?customer=${customer}&type=${type}&order[creationDate]=asc`)).data;

  const CASES: readonly [name: string, before: Json, after: Json, categories: readonly string[]][] = [
    ['a company at home that moves to France', inCountry('DE'), inCountry('FR'), ['S', 'S']],
    ['a consumer in France that moves to Germany', inCountry('FR', CONSUMER), inCountry('DE', CONSUMER), ['S', 'S']],
    [
      'a company in Austria that stays there',
      inCountry('AT', VALID),
      inCountry('AT', { ...VALID, city: 'Wien' }),
      ['AE', 'AE'],
    ],
    ['a company in Austria that gets a VAT id', inCountry('AT'), inCountry('AT', VALID), ['S', 'AE']],
    ['a company in Switzerland that moves to Norway', inCountry('CH'), inCountry('NO'), ['O', 'O']],
  ];

  beforeAll(async () => {
    const system = await System.shared();
    ({ api } = await system.sandbox({ now: START }));
    const { product, pricePlan } = await priced(api, { price: { amount: 12345 }, billingInterval: '1Y' });
    const terms = { type: 'flat_fee', currencyCode: 'EUR', price: { amount: 24689 }, billingInterval: '1Y' };
    larger = await api.ok('POST', '/price-plans', { product: product.id, ...terms });
    sold = new Map(
      await Promise.all(
        CASES.map(async ([name, before]): Promise<[string, { customer: Json; subscription: Json }]> => {
          const customer = await aCustomer(api, before);
          const items = [{ pricePlan: pricePlan.id }, { pricePlan: pricePlan.id }];
          const subscription = await api.ok('POST', '/subscriptions', { customer: customer.id, items });
          await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
          return [name, { customer, subscription }];
        }),
      ),
    );
    for (const { customer } of sold.values())
      await eventually('the invoice', async () => {
        const [invoice] = await documentsOf(customer.id, 'TYPE_INVOICE');
        return invoice?.status === 'STATUS_UNPAID' && invoice;
      });
    await api.ok('POST', '/sandbox/clock/advance', { to: '2026-03-18T09:00:00.000Z' });
    await eventually('the clock stands', async () => (await api.ok('GET', '/sandbox/clock')).status === 'ready');
  });

  it.each(CASES)('%s changes, then cancels', async (name, _before, after, categories) => {
    const { customer, subscription } = sold.get(name)!;
    await api.ok('PUT', `/customers/${customer.id}`, { email: customer.email, ...after });
    const { items } = await api.ok('GET', `/subscriptions/${subscription.id}`);
    const change = { pricePlan: larger.id, timing: 'immediately' };
    const path = `/subscription-items/${items[0].id}/change`;
    const { invoice: shown } = await api.ok('POST', `${path}?preview=true`, change);
    const { billedInvoice } = await api.ok('POST', path, change);
    const changed = await eventually('the invoice of the change', async () => {
      const found = (await documentsOf(customer.id, 'TYPE_INVOICE')).find(({ id }) => id === billedInvoice.id);
      return found?.status === 'STATUS_UNPAID' && found;
    });
    expect(moneyOf(shown)).toEqual(moneyOf(changed));
    expect(shown.positions.map(({ taxCategory }: Json) => taxCategory)).toEqual(categories);

    // Of the item that stays, nearly all goes back by hand: no more than the rest is credited automatically.
    const [first] = await documentsOf(customer.id, 'TYPE_INVOICE');
    const kept = first!.positions.find(({ subscriptionItem }: Json) => subscriptionItem.id === items[1].id);
    await api.ok('POST', `/invoices/${first!.id}/credit`, {
      positions: [{ id: kept.id, amount: { amount: 12333, currencyCode: 'EUR' } }],
    });
    await api.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    const preview = await api.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    await api.ok('POST', '/billing-runs', {});
    const [, credit] = await eventually('the credit', async () => {
      const found = await documentsOf(customer.id, 'TYPE_CREDIT');
      return found.length === 2 && found[1]?.finalizationDate && found;
    });
    expect(moneyOf(preview)).toEqual(moneyOf(credit!));
    expect(preview.positions.some(({ netAmount }: Json) => netAmount.amount === -12)).toBe(true);
  });
});
