import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, listUsesIndexOn, multiplyRow, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';

let offers: TestService;
const tenantId = newUuid();
const customerId = newUuid();

beforeAll(async () => {
  offers = await testService(offersService);
  // Billing is not here: what was not copied does not exist.
  offers.service.kit.replicas.readThrough(null);
  await offers.giveCopy('tenant', tenantId, tenantId, { id: tenantId, timeZone: 'Europe/Berlin' });
  await offers.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    status: 'STATUS_ACTIVE',
    language: 'de',
    representation: {},
  });
  const made = await offers.as(apiKeyPrincipal(tenantId))('POST', '/offers', { customer: customerId });
  expect(made.status).toBe(201);
  const columns = {
    id: "'A' || n",
    number: "'AN-' || n",
    customer_id: 'gen_random_uuid()',
    crm_deal_id: "'hs-' || n",
    created_at: 'now() - make_interval(mins => n)',
  };
  await multiplyRow(offers, 'offer', { ...columns, valid_until: 'now() - make_interval(mins => n)' });
});
afterAll(() => offers.stop());

async function list(query: string): Promise<void> {
  expect((await offers.as(apiKeyPrincipal(tenantId))('GET', `/offers?${query}`)).status).toBe(200);
}

describe('a list of offers under row-level security', () => {
  it.each([
    [`customer=${newUuid()}`, 'customer_id'],
    ['status=signed', 'status'],
    ['dealType=renewal', 'deal_type'],
    ['number=AN-2026-00001', 'number'],
    ['crmDealId=hs-1', 'crm_deal_id'],
    ['validUntil[before]=2020-03-02T09:00:00.000Z', 'valid_until'],
    ['createdAt[before]=2020-03-02T09:00:00.000Z', 'created_at'],
  ])('is found by an index with %s', async (query, column) => {
    expect(await listUsesIndexOn(offers.db, tenantId, 'offer', column, () => list(query))).toBe(true);
  });
});
