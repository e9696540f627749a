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
});
