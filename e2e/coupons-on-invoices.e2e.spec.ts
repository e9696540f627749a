import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

describe('coupons on invoices', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('discount positions and totals as previewed, and come back with the credit, tax included', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z' });
    const customer = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 4500 } });
    await api.ok('POST', '/coupons', {
      code: 'SPRING',
      name: 'Spring sale',
      type: 'percentage',
      percentage: '12.5',
      frequency: 'limited',
      frequencyInterval: 2,
    });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }, { pricePlan: pricePlan.id }],
      coupon: 'spring',
    });
    const [loyal] = subscription.items;
    await api.ok('POST', `/subscription-items/${loyal.id}/discounts`, {
      name: 'Loyalty',
      type: 'fixed_amount',
      fixedAmount: { amount: 333, currencyCode: 'EUR' },
      frequency: 'lifetime',
    });
    const preview = await api.ok('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    await api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
    const documents = async (type: string): Promise<Json[]> =>
      (await api.ok('GET', `/invoices?customer=${customer.id}&type=${type}`)).data;
    const [invoice] = await eventually('the invoice', async () => {
      const found = await documents('TYPE_INVOICE');
      return found[0]?.status === 'STATUS_UNPAID' && found;
    });
    // (45.00 - 3.33) × 0.875 = 36.46 and 45.00 × 0.875 = 39.38; 19 % of 75.84 are 14.41.
    const amounts = { netAmount: 7584, discountAmount: 1416, taxAmount: 1441, grossAmount: 9025 };
    for (const [name, amount] of Object.entries(amounts)) {
      expect([name, invoice[name].amount]).toEqual([name, amount]);
      expect([name, preview[name].amount]).toEqual([name, amount]);
    }
    expect(
      invoice.positions.map((position: Json) => [position.netAmount.amount, position.discountAmount.amount]),
    ).toEqual([
      [4500, 854],
      [4500, 562],
    ]);

    await api.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await api.ok('POST', '/billing-runs', {});
    const [credit] = await eventually('the credit', async () => {
      const found = await documents('TYPE_CREDIT');
      return found.length === 1 && found;
    });
    expect(credit).toMatchObject({
      netAmount: { amount: -7584 },
      taxAmount: { amount: -1441 },
      grossAmount: { amount: -9025 },
      discountAmount: null,
    });
    const after = await api.ok('GET', `/subscriptions/${subscription.id}`);
    expect(after.items[0].appliedDiscounts).toMatchObject([
      { coupon: { code: 'SPRING' }, status: 'pending', appliedIntervals: 0 },
      { coupon: null, status: 'pending', appliedIntervals: 0 },
    ]);
  });
});
