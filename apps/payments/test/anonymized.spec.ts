import { type CustomerState, customerChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { lockWaiters, servicePrincipal, whileHeld } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const VERSION = 1_000_000;
const anonymized = (id: string): Promise<unknown> =>
  world.database.tenant(tenant.id, (tx) =>
    world.service.kit.replicas.apply(
      tx,
      'customer',
      id,
      VERSION,
      { ...(customerChangedV1.example.state as CustomerState), id, anonymizedAt: '2026-03-02T10:00:00.000Z' },
      false,
    ),
  );

it.each([
  ['/payment-methods', { gateway: 'bank_transfer' }],
  ['/payment-methods/link', {}],
  ['/api/wallet/adjustments', { amount: 5, currencyCode: 'EUR', description: 'für Frau Quitte' }],
  ['/api/wallet/top-up', { amount: 5, currencyCode: 'EUR' }],
  ['/api/wallet/auto-top-up', { currencyCode: 'EUR', thresholdAmount: 5, topUpAmount: 5 }],
])('an anonymized customer gets nothing new: %s', async (path, body) => {
  const customerId = await tenant.customer();
  await anonymized(customerId);
  const answer = await tenant.call('POST', path, { ...body, customerId });
  expect([answer.status, answer.body.reason]).toEqual([422, 'customer_anonymized']);
});

it('what is made in the midst of the anonymization is found by it', async () => {
  const customerId = await tenant.customer();
  const method = await tenant.method(customerId);
  const id = newUuid();
  const made = {
    sql: `WITH held AS (SELECT 1 FROM replica WHERE kind = 'customer' AND id = $2 FOR KEY SHARE)
      INSERT INTO payment_method
      SELECT (jsonb_populate_record(NULL::payment_method, to_jsonb(m) || $3::jsonb)).* FROM payment_method m, held WHERE m.id = $1
      RETURNING id`,
    params: [method.id, customerId, JSON.stringify({ id, name: 'Konto von Frau Quitte', is_default: false })],
    commits: true,
  };
  const billing = servicePrincipal(tenant.id, 'billing');
  const erased = await whileHeld(world.test, made, async () => {
    await anonymized(customerId);
    const erased = world.http(billing, 'POST', `/internal/customers/${customerId}/erasure`, { version: VERSION });
    await lockWaiters(world.test, 1);
    return { erased };
  });
  await erased.erased;
  expect(await world.test.peek('SELECT name FROM payment_method WHERE id = $1', [id])).toEqual([{ name: null }]);
});
