import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { customerPrincipal } from '@kontor/testing';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

let billing: Billing;

beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing.stop());

it('a customer reads its subscriptions without the names that colleagues give products and prices', async () => {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  const customer = await world.customer();
  const price = await world.price({ internalName: 'Hidden price' }, { internalName: 'Hidden product' });
  const plan = await world.ok('POST', '/plans', {
    code: 'team',
    name: 'Team',
    status: 'active',
    items: [{ pricePlan: price }],
  });
  const customFields = { internalName: 'Hamburg' };
  await world.ok('POST', '/custom-fields', { key: 'internalName', object: 'subscription' });
  const { id } = await world.ok('POST', '/subscriptions', { customer, plan: plan.id, customFields });
  const asCustomer = billing.test.as(customerPrincipal(world.tenant.id, customer));
  for (const path of [`/subscriptions/${id}`, '/subscriptions']) {
    expect(JSON.stringify(await world.ok('GET', path)).match(/Hidden \w+/g)).toContain('Hidden product');
    const { status, body } = await asCustomer('GET', path);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('Hidden');
    expect((body.data?.[0] ?? body).customFields).toEqual(customFields);
  }
});
