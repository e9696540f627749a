import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';

/** What accepting an offer leads to, by its deal type, through all services. */
describe('deal types', () => {
  let system: System;
  let api: Api;
  let anybody: Api;
  beforeAll(async () => {
    system = await System.shared();
    ({ api } = await system.sandbox({ now: NOW }));
    anybody = new Api(system.connection.baseUrl, undefined);
  });

  /** A published offer, and its address for who may sign. */
  async function published(body: Json): Promise<{ id: string; path: string; offer: Json }> {
    const made = await api.ok('POST', '/offers', { recipients: [{ email: 'jule@backhaus-elbe.example' }], ...body });
    const offer = await api.ok('POST', `/offers/${made.id}/publish`);
    return { id: made.id, path: new URL(made.recipients[0].link).pathname, offer };
  }
  const accepted = async (id: string, path: string): Promise<Json> => {
    expect((await anybody.ok('POST', `${path}/accept`, {})).status).toBe('signed');
    return sold(id);
  };
  const sold = (id: string): Promise<Json> =>
    eventually('the sale is done', async () => {
      const offer = await api.ok('GET', `/offers/${id}`);
      expect(offer.sale.failure).toBeNull();
      return offer.sale.state === 'done' ? offer : undefined;
    });
  const invoiceOf = ({ invoice: { id } }: Json): Promise<Json> =>
    eventually('its invoice', async () => {
      const found = await api.get(`/invoices/${id}`);
      return found.status === 200 && found.body.finalizationDate ? found.body : undefined;
    });
  const finalized = (query: string): Promise<Json> =>
    eventually('the invoice', async () => {
      const { data } = await api.ok('GET', `/invoices?${query}`);
      return data[0]?.finalizationDate ? data[0] : undefined;
    });

  it('new business: what the buyer has chosen is what is billed, also when its prices were archived', async () => {
    const customer = await aCustomer(api);
    const { pricePlan: seats } = await priced(api, { type: 'per_unit', price: { amount: 1333 } });
    const { pricePlan: support } = await priced(api, { price: { amount: 4900 } }, { name: 'Support' });
    const { id, path, offer } = await published({
      customer: customer.id,
      name: 'Team',
      sections: [
        {
          type: 'items',
          items: [
            { id: 'seats', pricePlan: seats.id, quantity: '3', minQuantity: '1', maxQuantity: '20' },
            { id: 'support', pricePlan: support.id, optional: true },
          ],
        },
      ],
    });
    expect(offer.totals.net.amount).toBe(3999);
    const waiting = offer.subscription.id;
    expect((await api.ok('GET', `/subscriptions/${waiting}`)).status).toBe('offer');
    for (const plan of [seats, support]) await api.ok('PUT', `/price-plans/${plan.id}/archive`);
    // What it promises is what is billed, with its tax.
    const product = await api.ok('GET', `/catalogue/products/${seats.product.id}`);
    const reduced = await api.ok('POST', '/tax-groups', { internalDescription: 'Reduced', type: 'reduced' });
    const taxed = await api.send('PUT', `/catalogue/products/${product.id}`, {
      name: product.name,
      type: product.type,
      taxGroup: reduced.id,
    });
    expect([taxed.status, taxed.body.reason]).toEqual([422, 'tax_offered']);
    await api.ok('PUT', `/tax-groups/${product.taxGroup.id}/archive`);
    const chosen = await anybody.ok('POST', `${path}/choice`, {
      items: [
        { item: 'seats', quantity: '7' },
        { item: 'support', selected: true },
      ],
    });
    expect(chosen.totals.net.amount).toBe(7 * 1333 + 4900);
    const { sale } = await accepted(id, path);
    expect(sale.subscription).toEqual({ id: waiting });
    expect((await api.ok('GET', `/subscriptions/${waiting}`)).status).toBe('active');
    await api.ok('POST', '/billing-runs', {});
    const invoice = await finalized(`subscription=${waiting}`);
    expect([invoice.netAmount, invoice.grossAmount]).toEqual([chosen.totals.net, chosen.totals.gross]);
    const { data: activities } = await api.ok('GET', `/customers/${customer.id}/activities`);
    expect(activities.map(({ type }: Json) => type)).toContain('subscription.offer.created');
  });

  it('expansion: the subscription is changed today, and the rest of its period billed as it was offered', async () => {
    const customer = await aCustomer(api);
    const { pricePlan: seats } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: seats.id, quantity: '3' }],
      billingStart: '2026-02-15T00:00:00.000Z',
    });
    await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
    await finalized(`customer=${customer.id}`);
    const items = [{ pricePlan: seats.id, quantity: '10', subscriptionItem: subscription.items[0].id }];
    const { id, path, offer } = await published({
      customer: customer.id,
      subscription: subscription.id,
      dealType: 'expansion',
      sections: [{ type: 'items', items }],
    });
    const { sale } = await accepted(id, path);
    expect(sale.subscription).toEqual({ id: subscription.id });
    const invoice = await invoiceOf(sale);
    expect([invoice.netAmount, invoice.grossAmount]).toEqual([offer.totals.net, offer.totals.gross]);
    expect((await api.ok('GET', `/subscriptions/${subscription.id}`)).items[0].quantity).toBe('10');
  });

  it('what an offer costs is of the day on which it is accepted, and of the address of then', async () => {
    const customer = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 120_000 } }, { type: 'charge', name: 'Workshop' });
    const { id, path, offer } = await published({
      customer: customer.id,
      dealType: 'one_off',
      sections: [{ type: 'items', items: [{ pricePlan: pricePlan.id }] }],
    });
    expect(offer.totals.tax.amount).toBe(22_800);
    const { email, companyName, street, houseNumber, zip, city, language, currencyCode, timeZone } = customer;
    const moved = { email, companyName, street, houseNumber, zip, city, language, currencyCode, timeZone };
    await api.ok('PUT', `/customers/${customer.id}`, { ...moved, countryCode: 'CH' });
    const refused = await anybody.send('POST', `${path}/accept`, {});
    expect([refused.status, refused.body.reason]).toEqual([409, 'offer_changed']);
    const seen = await anybody.ok('GET', path);
    expect(seen.totals).toMatchObject({ net: { amount: 120_000 }, tax: { amount: 0 } });
    const { sale } = await accepted(id, path);
    const invoice = await invoiceOf(sale);
    expect([invoice.netAmount, invoice.grossAmount]).toEqual([seen.totals.net, seen.totals.gross]);
  });

  it('what is signed without an address costs what it does at the one that is given then', async () => {
    const email = 'montage@werft-nord.example';
    const customer = await api.ok('POST', '/customers', { email, companyName: 'Werft Nord', currencyCode: 'EUR' });
    const { pricePlan } = await priced(api, { price: { amount: 120_000 } }, { type: 'charge', name: 'Workshop' });
    const { id, path, offer } = await published({
      customer: customer.id,
      dealType: 'one_off',
      acceptanceMode: 'esignature',
      sections: [{ type: 'items', items: [{ pricePlan: pricePlan.id }] }],
    });
    expect(offer.totals.tax.amount).toBe(22_800);
    const signature = { name: 'Ada Nord', signature: { type: 'typed', data: 'Ada Nord' } };
    expect((await anybody.ok('POST', `${path}/sign`, signature)).status).toBe('awaiting_invoice_details');
    const details = { street: 'Seestrasse', houseNumber: '9', zip: '8002', city: 'Zürich', countryCode: 'CH' };
    const elsewhere = { ...details, countryCode: 'NO' };
    const refused = await anybody.send('POST', `${path}/invoice-details`, elsewhere);
    expect([refused.status, refused.body.reason]).toEqual([409, 'offer_changed']);
    const atHome = new URLSearchParams({ action: 'details', ...details, countryCode: 'DE' });
    const page = await fetch(`${system.connection.baseUrl}${path}?lang=en`, { method: 'POST', body: atHome });
    expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('another tax is due')]);
    expect((await anybody.ok('GET', path)).totals.tax.amount).toBe(22_800);
    expect((await anybody.send('POST', `${path}/invoice-details`, details)).status).toBe(409);
    const seen = await anybody.ok('GET', path);
    expect([seen.status, seen.totals]).toMatchObject([
      'awaiting_invoice_details',
      { net: { amount: 120_000 }, tax: { amount: 0 } },
    ]);
    // What was only looked at is not the customer's address.
    expect(await api.ok('GET', `/customers/${customer.id}`)).toMatchObject({ city: null });
    expect((await anybody.ok('POST', `${path}/invoice-details`, details)).status).toBe('signed');
    const invoice = await invoiceOf((await sold(id)).sale);
    expect([invoice.netAmount, invoice.grossAmount]).toEqual([seen.totals.net, seen.totals.gross]);
    expect(await api.ok('GET', `/customers/${customer.id}`)).toMatchObject({ city: 'Zürich' });
  });

  it('one_off: one invoice', async () => {
    const customer = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 120_000 } }, { type: 'charge', name: 'Workshop' });
    const { id, path, offer } = await published({
      customer: customer.id,
      dealType: 'one_off',
      sections: [{ type: 'items', items: [{ pricePlan: pricePlan.id }] }],
    });
    const { sale } = await accepted(id, path);
    const invoice = await invoiceOf(sale);
    expect(invoice.grossAmount).toEqual(offer.totals.gross);
    expect((await api.ok('GET', `/invoices?customer=${customer.id}`)).data).toHaveLength(1);
  });

  it('a price that was archived cannot be published any more', async () => {
    const customer = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const made = await api.ok('POST', '/offers', {
      customer: customer.id,
      sections: [{ type: 'items', items: [{ pricePlan: pricePlan.id }] }],
    });
    await api.ok('PUT', `/price-plans/${pricePlan.id}/archive`);
    const answer = await api.post(`/offers/${made.id}/publish`);
    expect([answer.status, answer.body.reason]).toEqual([422, 'unknown_reference']);
    expect((await api.ok('GET', `/offers/${made.id}`)).issuedAt).toBeNull();
  });
});
