import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { listUsesIndexOn, multiplyRow } from '@kontor/testing';
import { World } from './support/world.js';
import { Billing, type Tenant } from './support/billing.js';

let billing: Billing;
let tenant: Tenant;

beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
  const { body: product } = await tenant.call('POST', '/catalogue/products', { name: 'Team', type: 'product' });
  const price = {
    product: product.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    price: { amount: 1000 },
    billingInterval: '1M',
  };
  await billing.use(tenant, (await tenant.call('POST', '/price-plans', price)).body.id);
  const columns = {
    id: 'uuidv7()',
    number: "'S-' || n",
    external_id: "'crm-' || n",
    created_at: 'now() - make_interval(mins => n)',
  };
  await multiplyRow(billing.test, 'subscription', columns);
});
afterAll(() => billing.stop());

async function list(query: string): Promise<void> {
  expect((await tenant.call('GET', `/subscriptions?${query}`)).status).toBe(200);
}

describe('a list of subscriptions under row-level security', () => {
  it.each([
    [`customer=${newUuid()}`, 'customer_id'],
    ['status=active', 'status'],
    ['externalId=crm-1', 'external_id'],
    ['number=S-00001', 'number'],
    [`plan=${newUuid()}`, 'plan_id'],
  ])('is found by an index with %s', async (query, column) => {
    expect(await listUsesIndexOn(billing.test.db, tenant.id, 'subscription', column, () => list(query))).toBe(true);
  });

  it('finds by what falls due next, by plan and by text', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const pricePlan = await world.price();
    const plan = await world.ok('POST', '/plans', { code: 'p', name: 'P', status: 'active', items: [{ pricePlan }] });
    const customer = await world.customer();
    const { id } = await world.ok('POST', '/subscriptions', { customer, plan: plan.id, name: 'Elbe', activate: true });
    await world.subscribe(customer, pricePlan, { billingStart: '2026-05-01T09:00:00.000Z' });
    const found = async (query: string): Promise<string[]> =>
      (await world.ok('GET', `/subscriptions?${query}`)).data.map((subscription: { id: string }) => subscription.id);
    expect(await found(`plan=${plan.id}`)).toEqual([id]);
    expect(await found('search=elbe')).toEqual([id]);
    expect(await found('nextBillingDate[before]=2026-04-01')).toEqual([id]);
    expect(await found('nextBillingDate[after]=2026-04-01')).toHaveLength(1);
    expect(await found('nextBillingDate=2026-03-01')).toEqual([id]);
    expect((await world.tenant.call('GET', '/subscriptions?plan=x')).status).toBe(400);
  });
});
