import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

describe('credits carry the tax that was billed', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('a consumer pays a year in France, moves to Germany, changes and cancels at once', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z' });
    const home = { street: 'Rue de la Paix', houseNumber: '1', zip: '75002', city: 'Paris', countryCode: 'FR' };
    const customer = await aCustomer(api, { companyName: null, firstName: 'Anne', lastName: 'Roux', ...home });
    const { product, pricePlan } = await priced(api, { price: { amount: 12000 }, billingInterval: '1Y' });
    const larger = await api.ok('POST', '/price-plans', {
      product: product.id,
      type: 'flat_fee',
      currencyCode: 'EUR',
      price: { amount: 24000 },
      billingInterval: '1Y',
    });
    const items = [{ pricePlan: pricePlan.id }, { pricePlan: pricePlan.id }];
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items,
      billingStart: '2026-03-01T09:00:00.000Z',
    });
    await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
    const documents = async (type: string): Promise<Json[]> =>
      (await api.ok('GET', `/invoices?customer=${customer.id}&type=${type}&order[creationDate]=asc`)).data;
    const [invoice] = await eventually('the invoice', async () => {
      const found = await documents('TYPE_INVOICE');
      return found.length === 1 && found;
    });
    expect(invoice.taxAmount.amount).toBe(4800);

    await api.ok('PUT', `/customers/${customer.id}`, {
      email: customer.email,
      firstName: 'Anne',
      lastName: 'Roux',
      language: 'de',
      street: 'Elbchaussee',
      houseNumber: '12',
      zip: '22765',
      city: 'Hamburg',
      countryCode: 'DE',
    });
    const [changed] = (await api.ok('GET', `/subscriptions/${subscription.id}`)).items;
    const change = { pricePlan: larger.id, timing: 'immediate' };
    await api.ok('POST', `/subscription-items/${changed.id}/change`, change);
    const [, second] = await eventually('the invoice of the change', async () => {
      const found = await documents('TYPE_INVOICE');
      return found.length === 2 && found;
    });
    expect(second.positions.map((position: Json) => position.taxAmount.amount)).toEqual([-2400, 4560]);

    await api.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await api.ok('POST', '/billing-runs', {});
    const [credit] = await eventually('the credit', async () => {
      const found = await documents('TYPE_CREDIT');
      return found.length === 1 && found;
    });
    expect(credit.positions.map((position: Json) => position.taxAmount.amount).sort()).toEqual([-2400, -4560]);
    expect(credit).toMatchObject({
      taxAmount: { amount: -6960 },
      referencedInvoice: null,
      referencedInvoices: [invoice, second].map(({ id, number }) => ({ id, number })),
    });
  });

  it('a company pays a year in Switzerland, moves to Germany, changes and cancels: what was untaxed is credited by itself', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z' });
    const address = { companyName: 'Kaffee GmbH', street: 'Ring', houseNumber: '1', zip: '10100', city: 'Stadt' };
    const customer = await aCustomer(api, { ...address, countryCode: 'CH' });
    const { product, pricePlan } = await priced(api, { price: { amount: 12000 }, billingInterval: '1Y' });
    const terms = { type: 'flat_fee', currencyCode: 'EUR', price: { amount: 24000 }, billingInterval: '1Y' };
    const larger = await api.ok('POST', '/price-plans', { product: product.id, ...terms });
    const items = [{ pricePlan: pricePlan.id }, { pricePlan: pricePlan.id }];
    const subscription = await api.ok('POST', '/subscriptions', { customer: customer.id, items });
    await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
    const documents = (count: number): Promise<Json[]> =>
      eventually(`${count} documents`, async () => {
        const path = `/invoices?customer=${customer.id}&order[creationDate]=asc`;
        const found: Json[] = (await api.ok('GET', path)).data;
        return found.length === count && found.every(({ number }) => number !== null) && found;
      });
    const shown = (of: Json[]): unknown[] =>
      of
        .map(({ type, taxes, netAmount, taxAmount, grossAmount }) => {
          const amounts = [netAmount, taxAmount, grossAmount].map(({ amount }) => amount as number);
          return [type, taxes.map(({ category }: Json) => category as string).join(), ...amounts];
        })
        .sort();
    expect(shown(await documents(1))).toEqual([['TYPE_INVOICE', 'O', 24000, 0, 24000]]);

    const moved = { email: customer.email, language: 'de', ...address, countryCode: 'DE' };
    await api.ok('PUT', `/customers/${customer.id}`, moved);
    const [changed] = (await api.ok('GET', `/subscriptions/${subscription.id}`)).items;
    const change = { pricePlan: larger.id, timing: 'immediately' };
    const { invoice: preview } = await api.ok('POST', `/subscription-items/${changed.id}/change?preview=true`, change);
    expect([preview.netAmount.amount, preview.taxAmount.amount]).toEqual([12000, 4560]);
    const { billedInvoice } = await api.ok('POST', `/subscription-items/${changed.id}/change`, change);
    const afterChange = (await documents(3)).slice(1);
    expect(shown(afterChange)).toEqual([
      ['TYPE_CREDIT', 'O', -12000, 0, -12000],
      ['TYPE_INVOICE', 'S', 24000, 4560, 28560],
    ]);
    expect(afterChange.find(({ type }) => type === 'TYPE_INVOICE').id).toBe(billedInvoice.id);

    await api.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await api.ok('POST', '/billing-runs', {});
    const all = await documents(5);
    expect(shown(all.slice(3))).toEqual([
      ['TYPE_CREDIT', 'O', -12000, 0, -12000],
      ['TYPE_CREDIT', 'S', -24000, -4560, -28560],
    ]);
    expect(all.reduce((sum, { grossAmount }) => sum + grossAmount.amount, 0)).toBe(0);
  });
});
