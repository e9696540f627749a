import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { listUsesIndexOn, multiplyRow } from '@kontor/testing';
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
  ])('is found by an index with %s', async (query, column) => {
    expect(await listUsesIndexOn(billing.test.db, tenant.id, 'subscription', column, () => list(query))).toBe(true);
  });
});
