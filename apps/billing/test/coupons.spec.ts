import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { Billing, type Tenant } from './support/billing.js';

let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
});
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
