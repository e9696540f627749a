import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { createHmac } from 'node:crypto';
import { SettleCollections } from '../src/collections/settle-collections.js';
import { lockCustomers } from '../src/customer-books/lock-customers.js';
import { Provider } from './provider.js';
import { type Json, type Tenant, World } from './world.js';

let provider: Provider;
let world: World;
let tenant: Tenant;

beforeAll(async () => {
  provider = await Provider.start();
  world = await World.start({
    GOCARDLESS_ACCESS_TOKEN: 'gc',
    GOCARDLESS_WEBHOOK_SECRET: 'gc_secret',
    GOCARDLESS_API_BASE: provider.url,
  });
  tenant = await world.tenant();
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});

async function report(id: string, action: string, payment: string): Promise<void> {
  const body = JSON.stringify({ events: [{ id, resource_type: 'payments', action, links: { payment } }] });
  const response = await fetch(`${world.service.url}/public/payment/callbacks/debit_provider`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-signature': createHmac('sha256', 'gc_secret').update(body).digest('hex'),
    },
  });
  expect(response.status).toBe(200);
}

const lastPayment = async (customerId: string): Promise<Json> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data.at(-1);

it.each([
  ['charged_back', 'PM1', 'confirmed'],
  ['failed', 'PM2', 'failed'],
])('a payment that is booked while its end (%s) is acted on goes back', async (action, reference, found) => {
  const customerId = await tenant.customer();
  const mandate = { status: 'active', reference: 'REF', links: { customer_bank_account: 'BA1' } };
  provider.reset({
    [`GET /mandates/MD-${reference}`]: () => ({ body: { mandates: { id: `MD-${reference}`, ...mandate } } }),
    'POST /payments': () => ({ status: 201, body: { payments: { id: reference, status: 'pending_submission' } } }),
    [`GET /payments/${reference}`]: () => ({ body: { payments: { id: reference, status: found } } }),
  });
  await tenant.method(customerId, 'debit_provider', { debitProvider: { mandateId: `MD-${reference}` } });
  const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
  await eventually(async () => (await lastPayment(customerId))?.reference === reference, 'the order');
  const { id } = await lastPayment(customerId);
  await world.database.tenant(tenant.id, async (tx) => {
    await lockCustomers(tx, [customerId]);
    await report(`EV-${reference}`, action, reference);
    await eventually(
      async () => (await world.test.peek(`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0,
      'whoever acts on it waits',
    );
    await world.service.get(SettleCollections).execute(tx, new Map([[id, { status: 'succeeded', reference }]]));
  });
  await eventually(
    async () => (await world.test.peek(`SELECT 1 FROM gateway_notice WHERE processed_at IS NULL`)).length === 0,
    'the notice',
  );
  expect(await lastPayment(customerId)).toMatchObject({ id, status: 'returned' });
  expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
  expect(await tenant.broken()).toEqual([]);
});
