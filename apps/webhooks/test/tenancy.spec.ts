import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, listUsesIndexOn, multiplyRow, testService, type TestService } from '@kontor/testing';
import { webhooksService } from '../src/index.js';

let webhooks: TestService;
const tenantId = newUuid();
const customerId = newUuid();
let endpointId: string;

beforeAll(async () => {
  webhooks = await testService(webhooksService);
  await webhooks.giveCopy('tenant', tenantId, tenantId, { id: tenantId, mode: 'sandbox', timeZone: 'Europe/Berlin' });
  await webhooks.giveCopy('customer', tenantId, customerId, { id: customerId });
  const made = await webhooks.as(apiKeyPrincipal(tenantId))('POST', '/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['invoice.*'],
  });
  endpointId = made.body.id;
  const send = webhooks.as(apiKeyPrincipal(tenantId));
  expect((await send('POST', `/webhooks/${endpointId}/test`)).status).toBe(201);
  expect((await send('POST', `/customers/${customerId}/comment`, { comment: 'Angerufen' })).status).toBe(201);
  await webhooks.peek("UPDATE delivery SET status = 'delivered', next_attempt_at = NULL, head = false");
  const object = { object_id: 'gen_random_uuid()', created_at: 'now() - make_interval(mins => n)' };
  await multiplyRow(webhooks, 'webhook_event', {
    ...object,
    id: "'E' || n",
    type: "'t' || n",
    customer_id: 'gen_random_uuid()',
  });
  const ofEndpoint = `case when n % 50 = 0 then '${endpointId}'::uuid else gen_random_uuid() end`;
  await multiplyRow(webhooks, 'delivery', {
    ...object,
    endpoint_id: ofEndpoint,
    id: "'D' || n",
    event_id: "'E' || n",
    event_type: "'t' || n",
  });
  await multiplyRow(webhooks, 'activity', { id: 'uuidv7()', type: "'t' || n", at: 'now() - make_interval(mins => n)' });
});
afterAll(() => webhooks.stop());

async function list(path: string): Promise<void> {
  const asked = path.replace('ENDPOINT', endpointId).replace('CUSTOMER', customerId);
  expect((await webhooks.as(apiKeyPrincipal(tenantId))('GET', asked)).status).toBe(200);
}

describe('a list under row-level security', () => {
  it.each([
    ['/events?type=invoice.paid', 'webhook_event', 'type'],
    [`/events?object=${newUuid()}`, 'webhook_event', 'object_id'],
    [`/events?customer=${newUuid()}`, 'webhook_event', 'customer_id'],
    ['/events?createdAt[before]=2020-03-02T09:00:00.000Z', 'webhook_event', 'created_at'],
    ['/webhooks/ENDPOINT/deliveries?status=failed', 'delivery', 'status'],
    ['/webhooks/ENDPOINT/deliveries?eventType=invoice.paid', 'delivery', 'event_type'],
    ['/webhooks/ENDPOINT/deliveries?eventId=x', 'delivery', 'event_id'],
    ['/webhooks/ENDPOINT/deliveries?createdAt[before]=2020-03-02T09:00:00.000Z', 'delivery', 'created_at'],
    ['/customers/CUSTOMER/activities?type=commented', 'activity', 'type'],
    ['/customers/CUSTOMER/activities?pinned=true', 'activity', 'pinned'],
    ['/customers/CUSTOMER/activities?dateTime[before]=2020-03-02T09:00:00.000Z', 'activity', 'at'],
  ])('%s is found by an index of %s with %s', async (path, table, column) => {
    expect(await listUsesIndexOn(webhooks.db, tenantId, table, column, () => list(path))).toBe(true);
  });
});
