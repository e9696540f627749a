import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal } from '@kontor/testing';
import { Provider } from './provider.js';
import { type Answer, type Tenant, World } from './world.js';

let provider: Provider;
let world: World;
let sandbox: Tenant;
let live: Tenant;
const seller = { company: 'Nordlicht Software GmbH', creditorIdentifier: 'DE98ZZZ09999999999' };

const mandate = (id: string) => () => ({
  body: { mandates: { id, status: 'active', reference: id, links: { customer_bank_account: 'BA1' } } },
});

beforeAll(async () => {
  provider = await Provider.start();
  provider.reset({
    'GET /mandates/MD1': mandate('MD1'),
    'GET /mandates/MD2': mandate('MD2'),
    'GET /customer_bank_accounts/BA1': () => ({
      body: { customer_bank_accounts: { country_code: 'DE', account_number_ending: '51' } },
    }),
  });
  world = await World.start({
    GOCARDLESS_ACCESS_TOKEN: 'gc',
    GOCARDLESS_WEBHOOK_SECRET: 'gc',
    GOCARDLESS_API_BASE: provider.url,
  });
  sandbox = await world.tenant({ settings: { seller } });
  live = await world.tenant({ settings: {} });
  await live.features(['WalletTopUp'], 'live');
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});

/** What a buyer chose, as offers passes it on. */
const choose = async (tenant: Tenant, method: object, customerId?: string): Promise<Answer> =>
  tenant.call('POST', '/internal/checkout-methods', { ...method, customerId: customerId ?? (await tenant.customer()) });
const sepaMandate = { iban: 'DE02120300000000202051', accountHolder: 'Ada Lovelace' };

describe('a way to pay that a buyer chooses', () => {
  it.each([
    ['of a test, in a live tenant', () => live, { gateway: 'testing' }],
    ['of another test, in a live tenant', () => live, { gateway: 'fake_provider' }],
    ['by credit, which nobody adds', () => sandbox, { gateway: 'wallet' }],
    ['at a provider without credentials', () => sandbox, { gateway: 'card_provider' }],
    ['by debit of a seller who is no creditor', () => live, { gateway: 'sepa_debit', sepaMandate }],
    [
      'by a mandate that somebody has given to the provider',
      () => sandbox,
      { gateway: 'debit_provider', debitProvider: { mandateId: 'MD1' } },
    ],
  ])('is refused where it is not offered: %s', async (_name, tenant, method) => {
    const customerId = await tenant().customer();
    expect(await choose(tenant(), method, customerId)).toMatchObject({
      status: 422,
      body: { reason: 'payment_method_refused' },
    });
    expect((await tenant().ok('GET', `/payment-methods?customer=${customerId}`)).data).toEqual([]);
  });

  it.each([
    [() => sandbox, { gateway: 'testing' }],
    [() => sandbox, { gateway: 'fake_provider' }],
    [() => sandbox, { gateway: 'sepa_debit', sepaMandate }],
    [() => live, { gateway: 'bank_transfer' }],
  ])('is taken where it is offered (%#)', async (tenant, method) => {
    expect(await choose(tenant(), method)).toMatchObject({
      status: 201,
      body: { status: 'active', paymentMethod: { source: 'checkout', gatewayName: method.gateway } },
    });
  });
});

describe('a way to pay that cannot move the currency of a cart', () => {
  const offered = async (query: string): Promise<string[]> =>
    (await sandbox.ok('GET', `/internal/checkout-methods${query}`)).gateways;

  it('is not offered: SEPA knows euros alone', async () => {
    expect(await offered('?currency=EUR')).toContain('sepa_debit');
    const inYen = await sandbox.ok('GET', '/internal/checkout-methods?currency=JPY');
    expect(inYen.mandate).toBeNull();
    expect(inYen.gateways).not.toContain('sepa_debit');
    // The provider's debit, which moves other currencies, need not give way then.
    expect(inYen.gateways).toEqual(expect.arrayContaining(['debit_provider', 'bank_transfer']));
  });

  it('is not accepted, and not shown of what the customer has stored', async () => {
    const customerId = await sandbox.customer();
    const chosen = { gateway: 'sepa_debit', sepaMandate, customerId };
    expect(await sandbox.call('POST', '/internal/checkout-methods?currency=USD', chosen)).toMatchObject({
      status: 422,
      body: { reason: 'payment_method_refused' },
    });
    expect((await sandbox.call('POST', '/internal/checkout-methods?currency=EUR', chosen)).status).toBe(201);
    const stored = async (currency: string) =>
      (await sandbox.ok('GET', `/internal/checkout-methods/customers/${customerId}?currency=${currency}`)).data.length;
    expect([await stored('EUR'), await stored('USD')]).toEqual([1, 0]);
  });
});

describe('a way to pay that a tenant adds', () => {
  it.each(['testing', 'fake_provider'])('moves money, unless the tenant is a sandbox: %s', async (gateway) => {
    const customerId = await live.customer();
    const key = apiKeyPrincipal(live.id, { mode: 'live' });
    const answer = await world.http(key, 'POST', '/payment-methods', { gateway, customerId });
    expect(answer).toMatchObject({ status: 403, body: { reason: 'sandbox_only' } });
    expect((await live.ok('GET', `/payment-methods?customer=${customerId}`)).data).toEqual([]);
  });

  it('is not a mandate of the customer of another tenant', async () => {
    const named = { gateway: 'debit_provider', debitProvider: { mandateId: 'MD2' } };
    const first = await sandbox.ok('POST', '/payment-methods', { ...named, customerId: await sandbox.customer() });
    expect(first.status).toBe('active');
    const second = await live.ok('POST', '/payment-methods', { ...named, customerId: await live.customer() });
    expect(second).toMatchObject({ status: 'failed', failReason: 'belongs_to_another_customer', paymentMethod: null });
  });
});
