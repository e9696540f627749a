import { type CustomerState, customerChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually, lockWaiters, servicePrincipal, whileHeld } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Provider } from './provider.js';
import { type Tenant, World } from './world.js';

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

/** A mandate at the provider, which answers what it is asked so. */
const mandate = async (
  of: Tenant,
  customerId: string,
  cancels: () => number,
): Promise<{ id: string; path: string }> => {
  const name = `MD${newUuid()}`;
  provider.reset({
    [`POST /mandates/${name}/actions/cancel`]: () => ({ status: cancels(), body: {} }),
    'GET /mandates/': () => ({
      body: { mandates: { status: 'active', reference: 'REF-1', links: { customer_bank_account: 'BA1' } } },
    }),
    'GET /customer_bank_accounts/': () => ({
      body: { customer_bank_accounts: { country_code: 'DE', account_number_ending: '11' } },
    }),
  });
  const { id } = await of.method(customerId, 'debit_provider', { debitProvider: { mandateId: name } });
  return { id, path: `/mandates/${name}/actions/cancel` };
};
const isAsked = (path: string) =>
  eventually(() => Promise.resolve(provider.asked.some((asked) => asked.path === path)), 'the question');

it('the provider of a mandate gives it up, also where it answers late; then its name goes, too', async () => {
  const customerId = await tenant.customer();
  let status = 503;
  const { id, path } = await mandate(tenant, customerId, () => status);
  await anonymized(customerId);
  const billing = servicePrincipal(tenant.id, 'billing');
  await world.http(billing, 'POST', `/internal/customers/${customerId}/erasure`, { version: VERSION });
  await isAsked(path);
  const kept = () => world.test.peek('SELECT name, reference_id FROM payment_method WHERE id = $1', [id]);
  expect(await kept()).toEqual([{ name: null, reference_id: expect.stringMatching('^MD') }]);

  status = 200;
  const work = `due_work WHERE kind = 'payments.revoke_method'`;
  await world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.revoke_method'`);
  await eventually(async () => (await world.test.peek(`SELECT 1 FROM ${work}`)).length === 0, 'the answer');
  expect(await kept()).toEqual([{ name: null, reference_id: null }]);
});

it('so does the provider of a mandate whose tenant is deleted', async () => {
  const deleted = await world.tenant();
  const { id, path } = await mandate(deleted, await deleted.customer(), () => 200);
  await world.http(servicePrincipal(deleted.id, 'identity'), 'POST', '/internal/tenant-erasure', { wholly: true });
  expect(await world.test.peek('SELECT 1 FROM payment_method WHERE id = $1', [id])).toEqual([]);
  await isAsked(path);
});
