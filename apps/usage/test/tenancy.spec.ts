import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, listUsesIndexOn, multiplyRow, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';

let usage: TestService;
const tenantId = newUuid();
const customerId = newUuid();

beforeAll(async () => {
  usage = await testService(usageService);
  await usage.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    externalId: 'crm-1',
    status: 'STATUS_ACTIVE',
  });
  const event = {
    transactionId: 'a',
    eventName: 'api_call',
    timestamp: new Date().toISOString(),
    customerId,
    properties: {},
  };
  await usage.as(apiKeyPrincipal(tenantId))('POST', '/api/usage-events', { events: [event] });
  const columns = { id: 'uuidv7()', transaction_id: "'t' || n", customer_id: 'gen_random_uuid()' };
  await multiplyRow(usage, 'usage_event', {
    ...columns,
    event_name: "'e' || n % 500",
    occurred_at: 'now() - make_interval(mins => n)',
  });
});
afterAll(() => usage.stop());

async function list(query: string): Promise<void> {
  expect((await usage.as(apiKeyPrincipal(tenantId))('GET', `/api/usage-events?${query}`)).status).toBe(200);
}

describe('a list of usage events under row-level security', () => {
  it.each([
    [`customerId=${customerId}`, 'customer_id'],
    ['eventName=e7', 'event_name'],
    ['from=2036-03-02T09:00:00.000Z', 'occurred_at'],
    ['to=2020-03-02T09:00:00.000Z', 'occurred_at'],
  ])('is found by an index with %s', async (query, column) => {
    expect(await listUsesIndexOn(usage.db, tenantId, 'usage_event', column, () => list(query))).toBe(true);
  });
});
